import { execFile, spawn } from "node:child_process";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const main = path.resolve(import.meta.dirname, "../../servers/identity-server/dist/bundle/main.js");
/** The flags and the variables that the supervisor gives this server. */
const engineFlags = ["--max-semi-space-size=4", "--heap-growing-percent=30"];
const libraryVariables = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "131072" };
const OIDC_PROVIDER = "oidc-provider@9.13.3";

/**
 * A server under test, and what a child told about itself.
 *
 * @typedef {{name: string, port: number, pid: number, told: object, stop: () => Promise<void>}} Server
 */

/** Our own, alone, with its defaults: access log, audit log, TLS beside. @param {string} folder @param {number} port */
export async function startTrefoil(folder, port) {
  await mkdir(folder, { recursive: true });
  const lines = [`identity.http.port=${port}`, "identity.https.port=0"];
  await writeFile(path.join(folder, "trefoil.properties"), `${lines.join("\n")}\n`);
  const beganMs = performance.now();
  const child = spawn(process.execPath, [...engineFlags, main], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...libraryVariables, ...process.env },
  });
  await whenReady(port);
  const readyMs = performance.now() - beganMs;
  return { name: "trefoil", port, pid: child.pid, told: { readyMs, beganMs }, stop: () => end(child) };
}

/** node-oidc-provider, installed into the first folder when it isn't there. */
export async function startOidcProvider(folder, input) {
  await mkdir(folder, { recursive: true });
  await access(path.join(folder, "node_modules/oidc-provider")).catch(async () => {
    await writeFile(path.join(folder, "package.json"), '{"private":true}');
    const words = ["install", OIDC_PROVIDER, "--ignore-scripts", "--no-audit", "--no-fund"];
    await promisify(execFile)("npm", words, { cwd: folder });
  });
  return startChild("oidc-provider", "oidc-provider-server.mjs", { folder, ...input });
}

/** The bare Fastify server. */
export function startFloor(input) {
  return startChild("floor", "floor-server.mjs", input);
}

/** Time on the processor since the process began, in ms; ticks are 10 ms (Linux only). @param {number} pid */
export async function processorMs(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory now and at its peak, in bytes (Linux only). @param {number} pid */
export async function memoryBytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
  return { now: of("VmRSS"), peak: of("VmHWM") };
}

async function startChild(name, program, input) {
  const words = [path.join(import.meta.dirname, program), JSON.stringify(input)];
  const environment = { ...process.env, NODE_ENV: "production", NODE_NO_WARNINGS: "1" };
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"], env: environment });
  const told = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const line = text.split("\n").find((each) => each.startsWith("{") && each.endsWith("}"));
      if (line !== undefined) {
        resolve(JSON.parse(line));
      }
    });
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  return { name, port: told.port, pid: child.pid, told, stop: () => end(child) };
}

async function end(child) {
  if (child.exitCode === null) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
}

async function whenReady(port) {
  for (let attempt = 0; attempt < 6_000; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    if (answer?.ok) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`nothing got ready at port ${port}`);
}
