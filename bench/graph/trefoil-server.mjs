import { execFile, spawn } from "node:child_process";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { RawConnection } from "../objects/raw-connection.mjs";
import { ConnectionPool } from "./connection-pool.mjs";
import { firstAnswer } from "./load-in-batches.mjs";
import { folderBytes, freePort, processorMs, residentBytes, whenGone, whenReady } from "./process-figures.mjs";

const entry = path.resolve(import.meta.dirname, "../../apps/cli/bin/trefoil.js");
const PASSWORD = "a password for measuring";
const NO_ERRORS = Buffer.from('"errors":[]}');
/** The end of an answer without errors, with what ends its last chunk. */
const LONGEST_END = 64;

/** Our server as a user starts it, filled by `trefoil graph import`, asked over its transactional endpoint with a password. */
export async function startTrefoilServer(folder, { nodeFile, relationshipFile }, graph) {
  await mkdir(folder);
  const port = await freePort();
  const lines = [
    `graph.http.port=${port}`,
    "graph.https.enabled=false",
    `graph.initial_password=${PASSWORD}`,
    "log.level=warn",
  ];
  await writeFile(path.join(folder, "trefoil.properties"), `${lines.join("\n")}\n`);
  const pool = new ConnectionPool(() => RawConnection.open(port));
  const head = `POST /db/data/transaction/commit HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Basic ${Buffer.from(`neo4j:${PASSWORD}`).toString("base64")}\r\nContent-Type: application/json\r\nAccept: application/json\r\nContent-Length: `;
  const run = async (text, parameters, { rows: wantsRows }) => {
    const body = JSON.stringify({ statements: [{ statement: text, parameters }] });
    const answer = await pool.with((connection) =>
      connection.exchange(Buffer.from(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`), true),
    );
    if (answer.status !== 200 || !answer.body.subarray(-LONGEST_END).includes(NO_ERRORS)) {
      throw new Error(`${answer.status}: ${answer.body.toString().slice(-500)}`);
    }
    return wantsRows ? JSON.parse(withoutChunks(answer.body)).results[0].data.map(({ row }) => row) : [];
  };
  let process_;
  const start = async () => {
    const child = spawn(process.execPath, [entry, "start", "--only", "graph"], { cwd: folder, stdio: "ignore" });
    const { pid } = await whenReady(async () => {
      const status = JSON.parse(await readFile(path.join(folder, "data/run/graph.json"), "utf8"));
      await access(`/proc/${status.pid}`);
      await run("RETURN 1", {}, { rows: false });
      return status;
    });
    process_ = { child, pid };
  };
  const stop = async () => {
    pool.close();
    process_.child.kill();
    await whenGone(process_.child);
  };
  await start();
  const beganMs = performance.now();
  await promisify(execFile)(process.execPath, [entry, "graph", "import", nodeFile, relationshipFile], { cwd: folder });
  const loadMs = performance.now() - beganMs;
  await run("CREATE INDEX ON :Person(id)", {}, { rows: false });
  return {
    name: "trefoil",
    indexed: true,
    loadMs,
    run,
    plain: (value) => value,
    processorMs: () => processorMs(process_.pid),
    residentBytes: () => residentBytes(process_.pid),
    diskBytes: () => folderBytes(path.join(folder, "data/graph")),
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

/** A body that came in chunks, as one text. @param {Buffer} body */
function withoutChunks(body) {
  if (body[0] === "{".charCodeAt(0)) {
    return body.toString();
  }
  const parts = [];
  for (let at = 0; ;) {
    const end = body.indexOf("\r\n", at);
    const length = Number.parseInt(body.latin1Slice(at, end), 16);
    if (length === 0) {
      return Buffer.concat(parts).toString();
    }
    parts.push(body.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}
