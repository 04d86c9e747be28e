import { execFile, spawn } from "node:child_process";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { promisify } from "node:util";

const entry = path.resolve(import.meta.dirname, "../../apps/cli/bin/trefoil.js");
const AZURITE = "azurite@3.37.0";

/**
 * A server under test: `account` and `key` for one that stores blobs; the others only hand out the files of a folder.
 *
 * @typedef {{name: string, port: number, pid: number, account?: string, key?: string, stop: () => void}} Server
 */

/** Our own, as a user starts it. @param {string} folder @returns {Promise<Server>} */
export async function startTrefoil(folder) {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const lines = [`objects.http.port=${port}`, "objects.https.enabled=false", "log.level=warn"];
  await writeFile(path.join(folder, "trefoil.properties"), `${lines.join("\n")}\n`);
  const child = spawn(process.execPath, [entry, "start", "--only", "objects"], { cwd: folder, stdio: "ignore" });
  const data = path.join(folder, "data");
  // Written when the server is ready, a moment after it begins to listen.
  await whenThere(path.join(data, "run/objects.json"));
  const { objects } = JSON.parse(await readFile(path.join(data, "initial-credentials.json"), "utf8"));
  const { pid } = JSON.parse(await readFile(path.join(data, "run/objects.json"), "utf8"));
  return { name: "trefoil", port, pid, account: objects.account, key: objects.keys[0], stop: () => child.kill() };
}

/** The peer from npm, installed into the first folder when it isn't there. @returns {Promise<Server>} */
export async function startAzurite(folder, data) {
  await mkdir(folder, { recursive: true });
  const main = path.join(folder, "node_modules/azurite/dist/src/blob/main.js");
  await access(main).catch(async () => {
    await writeFile(path.join(folder, "package.json"), '{"private":true}');
    await promisify(execFile)("npm", ["install", AZURITE, "--no-audit", "--no-fund", "--ignore-scripts"], {
      cwd: folder,
    });
  });
  const port = await freePort();
  const words = ["--blobPort", String(port), "--location", data, "--silent", "--skipApiVersionCheck"];
  const child = spawn(process.execPath, [main, ...words], { cwd: folder, stdio: "ignore" });
  await whenAnswering(port);
  return {
    name: "azurite",
    port,
    pid: child.pid,
    account: "devstoreaccount1",
    key: "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
    stop: () => child.kill(),
  };
}

/** A bare Node file stream. @param {string} files @returns {Promise<Server>} */
export async function startFileServer(files) {
  const program = path.join(import.meta.dirname, "file-server.mjs");
  const child = spawn(process.execPath, [program, files], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise((resolve) => child.stdout.once("data", (text) => resolve(Number(text))));
  return { name: "node file", port, pid: child.pid, stop: () => child.kill() };
}

/** nginx over the same folder, when the machine has it. @returns {Promise<Server | undefined>} */
export async function startNginx(folder, files) {
  const has = await promisify(execFile)("nginx", ["-v"]).then(
    () => true,
    () => false,
  );
  if (!has) {
    return undefined;
  }
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const configuration = path.join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  await writeFile(
    configuration,
    // Started by root its worker would be somebody who may not read the folder.
    `${process.getuid?.() === 0 ? "user root; " : ""}daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
     events {} http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 10000000; ${temporary.join(" ")}
     server { listen 127.0.0.1:${port}; root ${files}; default_type application/octet-stream; } }`,
  );
  const child = spawn("nginx", ["-c", configuration, "-e", `${folder}/error.log`], { stdio: "ignore" });
  await whenAnswering(port);
  return { name: "nginx", port, pid: child.pid, stop: () => child.kill() };
}

/**
 * Milliseconds of the processor that a process and its children have used so far (Linux only).
 *
 * @param {number} pid
 */
export async function cpuMs(pid) {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const pids = [pid, ...children.split(" ").filter(Boolean).map(Number)];
  const each = await Promise.all(pids.map(ownCpuMs));
  return each.reduce((sum, ms) => sum + ms, 0);
}

async function ownCpuMs(pid) {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // Behind the name, which may hold spaces: fields 14 and 15 are ticks of 10 ms.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
}

/** Largest resident memory of a process so far, in bytes (Linux only). @param {number} pid */
export async function peakMemoryBytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function whenThere(file) {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    ) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${file} was not written`);
}

async function whenAnswering(port) {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`nothing answers at port ${port}`);
}
