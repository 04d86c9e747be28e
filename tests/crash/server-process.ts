import { type ChildProcess, spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export type ServerName = "identity" | "objects" | "graph";

const folders: Readonly<Record<ServerName, string>> = {
  identity: "identity-server",
  objects: "storage-server",
  graph: "graph-server",
};

/** Settings of each server under attack, besides a free port: what makes many short lives cheap. */
const environments: Readonly<Record<ServerName, Readonly<Record<string, string>>>> = {
  identity: {
    // The issuer must not change from life to life.
    TREFOIL_IDENTITY_HTTPS_PORT: "0",
    TREFOIL_IDENTITY_PUBLIC_URL: "https://localhost:8443",
    TREFOIL_IDENTITY_PASSWORD_MEMORY_KIB: "7168",
    TREFOIL_IDENTITY_PASSWORD_ITERATIONS: "1",
  },
  objects: { TREFOIL_OBJECTS_HTTPS_ENABLED: "false" },
  graph: { TREFOIL_GRAPH_HTTPS_ENABLED: "false", TREFOIL_GRAPH_AUTH_ENABLED: "false" },
};

export interface StartOptions {
  /** Files may not grow beyond this: what a full disk looks like to a process. */
  readonly fileLimitKib?: number;
}

/** One server as its own process, without a supervisor, to be killed. */
export class ServerProcess {
  /** `http://127.0.0.1:10000` */
  readonly baseUrl: string;
  readonly #child: ChildProcess;

  private constructor(baseUrl: string, child: ChildProcess) {
    this.baseUrl = baseUrl;
    this.#child = child;
  }

  static async start(server: ServerName, dataDirectory: string, options: StartOptions = {}): Promise<ServerProcess> {
    const runFile = path.join(dataDirectory, "run", `${server}.json`);
    // The one a killed process has left would be taken for ours.
    await rm(runFile, { force: true });
    const { child, output } = spawnServer(server, dataDirectory, options);
    for (let waitedMs = 0; waitedMs < 20_000; waitedMs += 20) {
      if (child.exitCode !== null) {
        throw new Error(`${server} ended with ${child.exitCode}: ${output()}`);
      }
      const text = await readFile(runFile, "utf8").catch(() => undefined);
      const address = text === undefined ? undefined : (JSON.parse(text) as RunFile).addresses[0];
      if (address !== undefined) {
        return new ServerProcess(`http://127.0.0.1:${address.port}`, child);
      }
      await delay(20);
    }
    child.kill("SIGKILL");
    throw new Error(`${server} did not get ready: ${output()}`);
  }

  /** Starts a server and kills it after a while, ready or not. */
  static async startAndKill(server: ServerName, dataDirectory: string, afterMs: number): Promise<void> {
    const { child } = spawnServer(server, dataDirectory, {});
    await delay(afterMs);
    await end(child, "SIGKILL");
  }

  /** Ends it as a power cut would end it, as far as the process is concerned. */
  kill(): Promise<void> {
    return end(this.#child, "SIGKILL");
  }

  stop(): Promise<void> {
    return end(this.#child, "SIGTERM");
  }
}

interface RunFile {
  readonly addresses: readonly { readonly port: number }[];
}

function spawnServer(
  server: ServerName,
  dataDirectory: string,
  { fileLimitKib }: StartOptions,
): { child: ChildProcess; output: () => string } {
  const main = path.resolve(import.meta.dirname, "../../servers", folders[server], "dist/main.js");
  // The shell counts blocks of 512 bytes.
  const limit = fileLimitKib === undefined ? "" : `ulimit -f ${fileLimitKib * 2}; `;
  const child = spawn("sh", ["-c", `${limit}exec "$0" "$@"`, process.execPath, main, "--data-dir", dataDirectory], {
    cwd: dataDirectory,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      TREFOIL_LOG_LEVEL: "warn",
      [`TREFOIL_${server.toUpperCase()}_HTTP_PORT`]: "0",
      ...environments[server],
    },
  });
  const parts: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => parts.push(chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => parts.push(chunk.toString()));
  return { child, output: () => parts.join("") };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }
}
