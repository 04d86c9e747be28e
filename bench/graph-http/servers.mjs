import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

const graphServer = path.resolve(import.meta.dirname, "../../servers/graph-server/dist/main.js");
const PASSWORD = "a password for measuring";

/** Our graph server as a process of its own, authentication on. */
export async function startGraphServer(folder) {
  await mkdir(folder);
  const lines = [
    "graph.http.port=0",
    "graph.https.enabled=false",
    `graph.initial_password=${PASSWORD}`,
    "log.level=warn",
  ];
  const file = path.join(folder, "trefoil.properties");
  await writeFile(file, `${lines.join("\n")}\n`);
  const child = spawn(process.execPath, [graphServer, "--config", file, "--data-dir", path.join(folder, "data")], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [{ addresses }] = await once(child, "message");
  const { port } = addresses.find(({ protocol }) => protocol === "http");
  return { name: "trefoil", port, pid: child.pid, stop: () => stop(child) };
}

/** {@link file://./echo-server.mjs} as a process of its own. */
export async function startEchoServer() {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "echo-server.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [text] = await once(child.stdout, "data");
  return { name: "fastify echo", port: Number(text), pid: child.pid, stop: () => stop(child) };
}

async function stop(child) {
  const gone = once(child, "exit");
  child.kill();
  await gone;
}

const authorization = `Basic ${Buffer.from(`neo4j:${PASSWORD}`).toString("base64")}`;

/** A request to run statements, as bytes. */
export function commitRequest(port, ...statements) {
  return postRequest(port, "/db/data/transaction/commit", { statements });
}

export function beginRequest(port) {
  return postRequest(port, "/db/data/transaction", { statements: [] });
}

export function postRequest(port, target, body) {
  const bytes = Buffer.from(JSON.stringify(body));
  const head =
    `POST ${target} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: ${authorization}\r\n` +
    `Content-Type: application/json\r\nAccept: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}
