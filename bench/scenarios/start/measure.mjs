#!/usr/bin/env node
/**
 * How long all three servers take from the command to ready, for the first start and for a later one, and what they
 * hold in memory when nobody asks anything: `npm run bench:start`. Memory is the proportional set size of the
 * supervisor and its children (Linux only), a minute after the last start: by then the engine has given back what the
 * start alone needed.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { cpus, tmpdir } from "node:os";
import path from "node:path";

const entry = path.resolve(import.meta.dirname, "../../../apps/cli/bin/trefoil.js");
const rounds = 5;
const idleMs = 60_000;

const folder = await mkdtemp(path.join(tmpdir(), "trefoil-bench-start-"));
const servers = ["identity", "objects", "graph"];
const ports = Object.fromEntries(
  await Promise.all(
    servers
      .flatMap((server) => [`${server}.http.port`, `${server}.https.port`])
      .map(async (key) => [key, await freePort()]),
  ),
);
await writeFile(
  path.join(folder, "trefoil.properties"),
  Object.entries(ports)
    .map(([key, port]) => `${key}=${port}\n`)
    .join(""),
);

const first = await startAndStop(0);
const later = [];
for (let round = 0; round < rounds; round++) {
  later.push(await startAndStop(round === rounds - 1 ? idleMs : 0));
}
await rm(folder, { recursive: true });

print("machine", `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`);
print("first start to ready", `${first.readyMs} ms (makes keys, certificates, stores)`);
print("later start to ready", `${median(later.map(({ readyMs }) => readyMs))} ms (median of ${rounds})`);
const last = later.at(-1);
for (const { name, kilobytes } of last.memory) {
  print(`memory of ${name}`, `${(kilobytes / 1024).toFixed(1)} MB`);
}
print("memory of all", `${(last.memory.reduce((sum, { kilobytes }) => sum + kilobytes, 0) / 1024).toFixed(1)} MB`);

async function startAndStop(waitMs) {
  const beganMs = performance.now();
  const child = spawn(process.execPath, [entry, "start", "--data-dir", path.join(folder, "data")], {
    cwd: folder,
    stdio: "ignore",
  });
  await Promise.all(servers.map((server) => whenReady(ports[`${server}.http.port`])));
  const readyMs = Math.round(performance.now() - beganMs);
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  const memory = await proportionalSetSizes(child.pid);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  return { readyMs, memory };
}

async function whenReady(port) {
  for (let attempt = 0; attempt < 3_000; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    if (answer?.ok) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`nothing got ready at port ${port}`);
}

/** The process `root` and all below it, with what each holds. */
async function proportionalSetSizes(root) {
  const parents = new Map();
  for (const pid of (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
    if (stat !== undefined) {
      parents.set(Number(pid), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    }
  }
  const family = [root];
  for (const member of family) {
    family.push(...[...parents].filter(([, parent]) => parent === member).map(([pid]) => pid));
  }
  return Promise.all(
    family.map(async (pid) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
      const command = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
      const name = command.find((word) => /(servers\/[a-z-]+|trefoil\.js)/.test(word)) ?? String(pid);
      return {
        name: /servers\/([a-z-]+)/.exec(name)?.[1] ?? "supervisor",
        kilobytes: Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0),
      };
    }),
  );
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function print(label, value) {
  process.stdout.write(`${label.padEnd(28)} ${value}\n`);
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
