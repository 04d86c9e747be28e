import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { ConnectionPool } from "./connection-pool.mjs";
import { falkordbBinaries } from "./falkordb-binaries.mjs";
import { folderBytes, freePort, processorMs, residentBytes, whenGone, whenReady } from "./process-figures.mjs";
import { firstAnswer, loadInBatches } from "./load-in-batches.mjs";
import { RespConnection } from "./resp-connection.mjs";
import { TIME_LIMIT_MS } from "./time-limit.mjs";

const GRAPH = "bench";

/** The module in its own server, every commit synced as ours are; installed into `folder` for this run only. */
export async function startFalkordb(folder, graph) {
  const home = path.join(folder, "falkordb");
  const data = path.join(home, "data");
  await mkdir(data, { recursive: true });
  const binaries = falkordbBinaries(home);
  const port = await freePort();
  const pool = new ConnectionPool(() => RespConnection.open(port));
  const run = async (text, parameters, { limited = true } = {}) => {
    const prefix = Object.entries(parameters).map(([name, value]) => `${name}=${literal(value)} `);
    const query = prefix.length === 0 ? text : `CYPHER ${prefix.join("")}${text}`;
    const limit = limited ? ["TIMEOUT", String(TIME_LIMIT_MS)] : [];
    const answer = await pool.with((connection) => connection.command(["GRAPH.QUERY", GRAPH, query, ...limit]));
    return answer.length === 3 ? answer[1] : [];
  };
  let child;
  const start = async () => {
    const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
    const words = ["--port", String(port), "--dir", data, "--loadmodule", path.join(binaries, "falkordb.so")];
    child = spawn(path.join(binaries, "redis-server"), [...words, ...durable], { stdio: "ignore" });
  };
  const stop = async () => {
    pool.close();
    child.kill();
    await whenGone(child);
  };
  await start();
  await whenReady(() => run("RETURN 1", {}));
  const beganMs = performance.now();
  await run("CREATE INDEX FOR (p:Person) ON (p.id)", {});
  // Started again from its snapshot, its index lacks the very first node: that is nobody's.
  await run("CREATE (:First)", {});
  await loadInBatches(graph, run);
  const loadMs = performance.now() - beganMs;
  return {
    name: "falkordb",
    indexed: true,
    loadMs,
    run,
    plain: (value) => (typeof value === "string" && /^-?\d+(\.\d+)?$/u.test(value) ? Number(value) : value),
    processorMs: () => processorMs(child.pid),
    residentBytes: () => residentBytes(child.pid),
    diskBytes: () => folderBytes(data),
    restartMs: async () => {
      await stop();
      const beganMs = performance.now();
      await start();
      await whenReady(() => firstAnswer(graph, run));
      return performance.now() - beganMs;
    },
    close: stop,
  };
}

/** A value in the words of the language. */
function literal(value) {
  if (Array.isArray(value)) {
    return `[${value.map(literal).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .map(([name, member]) => `${name}:${literal(member)}`)
      .join(",")}}`;
  }
  return JSON.stringify(value);
}
