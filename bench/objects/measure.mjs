#!/usr/bin/env node
/**
 * The object store beside what people use today and beside file servers, in one run on one machine:
 * `npm run bench:objects`. Every answer is checked before the clock starts; rounds take turns between the servers, and
 * the median round of each counts. Where others use the machine as well, the least time of the processor per request
 * says more than the rate does; both are printed.
 *
 *     npm run bench:objects -- [--seconds 2] [--rounds 3] [--many 20000] [--only <words of names>] [--no-azurite]
 *
 * `--many 1000000 --no-azurite` fills the container of the listing with a million blobs and prints whether uploads
 * stayed as fast; the peer's listing slows down with every blob, and a hundred thousand show it.
 *
 * Azurite is installed from npm into the folder of `--peers` (default: a temporary one); nginx takes part when the
 * machine has it. Uploads to ours are on disk when they are answered, Azurite's are not.
 */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { RawConnection } from "./raw-connection.mjs";
import { cpuMs, peakMemoryBytes, startAzurite, startFileServer, startNginx, startTrefoil } from "./servers.mjs";
import { createBenchContainer, workloads } from "./workloads.mjs";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "3" },
    many: { type: "string", default: "20000" },
    only: { type: "string", default: "" },
    peers: { type: "string" },
    "no-azurite": { type: "boolean", default: false },
  },
});

const folder = await mkdtemp(path.join(tmpdir(), "trefoil-bench-objects-"));
const files = path.join(folder, "files");
const servers = [];
const results = [];
try {
  await mkdir(files);
  servers.push(await startTrefoil(path.join(folder, "trefoil")));
  if (!options["no-azurite"]) {
    const peers = options.peers ?? path.join(folder, "peers");
    servers.push(await startAzurite(peers, path.join(folder, "azurite")));
  }
  servers.push(await startFileServer(files));
  const nginx = await startNginx(path.join(folder, "nginx"), files);
  if (nginx !== undefined) {
    servers.push(nginx);
  }
  for (const server of servers.filter(({ account }) => account !== undefined)) {
    await createBenchContainer(server);
  }
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, commit ${commit()}`;
  console.log(`${machine}\n`);
  console.log(`${"".padEnd(14)}${servers.map(({ name }) => name.padStart(16)).join("")}   ratios`);
  for (const workload of workloads.filter(({ name }) => name.includes(options.only))) {
    results.push(await rowOf(workload));
  }
  const peak = await peakMemoryBytes(servers[0].pid);
  console.log(`\npeak resident memory of trefoil: ${(peak / 1024 / 1024).toFixed(0)} MB`);
  const target = path.resolve(import.meta.dirname, "../results");
  await mkdir(target, { recursive: true });
  await writeFile(path.join(target, "objects.json"), JSON.stringify({ machine, results, peakBytes: peak }, null, 2));
} finally {
  for (const server of servers) {
    server.stop();
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await rm(folder, { recursive: true, force: true });
}

async function rowOf(workload) {
  const fillRates = {};
  const taking = servers.filter(({ account }) => account !== undefined || !workload.needsBlobs);
  for (const server of taking) {
    const tenths = await workload.prepare(server, files, Number(options.many));
    if (tenths !== undefined) {
      fillRates[server.name] = tenths;
      console.log(`  filling ${server.name}, uploads per second by tenths: ${tenths.join(" ")}`);
    }
    await turn(workload, server, 0.5);
  }
  const rates = new Map(taking.map((server) => [server.name, []]));
  const costs = new Map(taking.map((server) => [server.name, []]));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const server of taking) {
      const { rate, cpuMsEach } = await turn(workload, server, Number(options.seconds));
      rates.get(server.name).push(rate);
      costs.get(server.name).push(cpuMsEach);
    }
  }
  const medians = Object.fromEntries([...rates].map(([name, values]) => [name, median(values)]));
  const leastCpuMs = Object.fromEntries([...costs].map(([name, values]) => [name, Math.min(...values)]));
  const memoryBytes = await peakMemoryBytes(servers[0].pid);
  print(workload, medians, leastCpuMs, memoryBytes);
  const rounds = Object.fromEntries(rates);
  return { name: workload.name, unit: "requests per second", medians, rounds, leastCpuMs, fillRates, memoryBytes };
}

/** @returns requests per second, and milliseconds of the server's processor per request */
async function turn(workload, server, seconds) {
  const cpuBeforeMs = await cpuMs(server.pid);
  const untilMs = performance.now() + seconds * 1000;
  const beganMs = performance.now();
  let done = 0;
  const run = async () => {
    const connection = await RawConnection.open(server.port);
    do {
      const { status, bytes } = await connection.exchange(workload.request(server));
      if (status !== workload.status || (status === 200 && bytes < workload.bytes)) {
        throw new Error(`${workload.name}: ${server.name} answered ${status} with ${bytes} bytes`);
      }
      done += 1;
    } while (performance.now() < untilMs);
    connection.close();
  };
  await Promise.all(Array.from({ length: workload.connections }, run));
  const rate = (done * 1000) / (performance.now() - beganMs);
  return { rate, cpuMsEach: ((await cpuMs(server.pid)) - cpuBeforeMs) / done };
}

function print({ name, bytes, goals }, medians, costs, memoryBytes) {
  const cells = servers.map(({ name: server }) => {
    const rate = medians[server];
    return rate === undefined
      ? ""
      : bytes >= 1024 * 1024
        ? `${((rate * bytes) / 1024 / 1024).toFixed(0)} MiB/s`
        : `${rate.toFixed(0)} /s`;
  });
  const own = medians["trefoil"];
  const ratios = Object.entries(medians)
    .filter(([server]) => server !== "trefoil")
    .map(([server, rate]) => {
      const goal = goals[server];
      const verdict = goal === undefined ? "" : own / rate >= goal ? ` (≥ ${goal}: yes)` : ` (≥ ${goal}: NO)`;
      return `${(own / rate).toFixed(2)} × ${server}${verdict}`;
    });
  console.log(`${name.padEnd(14)}${cells.map((cell) => cell.padStart(16)).join("")}   ${ratios.join(", ")}`);
  const spent = servers.map(({ name: server }) =>
    costs[server] === undefined ? "" : `${costs[server].toFixed(3)} ms`,
  );
  const memory = `peak memory of trefoil ${(memoryBytes / 1024 / 1024).toFixed(0)} MB`;
  console.log(`${"  processor".padEnd(14)}${spent.map((cell) => cell.padStart(16)).join("")}   ${memory}`);
}

function median(values) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
}

function commit() {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}
