import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";

const CLOCK_TICKS = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** What a process and its threads have taken of the processor so far, in milliseconds (Linux only). @param {number} pid */
export function processorMs(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program stands in brackets and may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS;
}

/** The same of this process. */
export function ownProcessorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Resident memory of a process now, in bytes (Linux only). @param {number} pid */
export function residentBytes(pid) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
}

/** What the files of a folder take of the disk. @param {string} folder @returns {Promise<number>} bytes */
export async function folderBytes(folder, isCounted = () => true) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && isCounted(path.relative(folder, path.join(entry.parentPath, entry.name))),
  );
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(path.join(file.parentPath, file.name))).blocks),
  );
  return sizes.reduce((sum, blocks) => sum + blocks * 512, 0);
}

/** A port of the loopback address that nobody has. @returns {Promise<number>} */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Asks until `attempt` succeeds, for at most a minute. */
export async function whenReady(attempt) {
  for (const deadlineMs = performance.now() + 60_000; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadlineMs) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** Resolves when a process has gone. @param {import("node:child_process").ChildProcess} child */
export function whenGone(child) {
  return child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", resolve));
}
