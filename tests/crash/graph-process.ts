import { type ChildProcess, spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const main = path.resolve(import.meta.dirname, "../../servers/graph-server/dist/main.js");

/** The graph server as its own process, to be killed. */
export class GraphProcess {
  readonly baseUrl: string;
  readonly #child: ChildProcess;

  private constructor(baseUrl: string, child: ChildProcess) {
    this.baseUrl = baseUrl;
    this.#child = child;
  }

  static async start(dataDirectory: string): Promise<GraphProcess> {
    const runFile = path.join(dataDirectory, "run", "graph.json");
    // The one a killed process has left would be taken for ours.
    await rm(runFile, { force: true });
    const child = spawn(process.execPath, [main, "--data-dir", dataDirectory], {
      cwd: dataDirectory,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        TREFOIL_GRAPH_AUTH_ENABLED: "false",
        TREFOIL_GRAPH_HTTP_PORT: "0",
        TREFOIL_GRAPH_HTTPS_ENABLED: "false",
        TREFOIL_LOG_LEVEL: "warn",
      },
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    for (let waitedMs = 0; waitedMs < 20_000; waitedMs += 20) {
      if (child.exitCode !== null) {
        throw new Error(`the graph server ended with ${child.exitCode}: ${output}`);
      }
      const text = await readFile(runFile, "utf8").catch(() => undefined);
      const address = text === undefined ? undefined : (JSON.parse(text) as RunFile).addresses[0];
      if (address !== undefined) {
        return new GraphProcess(`http://127.0.0.1:${address.port}`, child);
      }
      await delay(20);
    }
    child.kill("SIGKILL");
    throw new Error(`the graph server did not get ready: ${output}`);
  }

  /** Ends it as a power cut would end it, as far as the process is concerned. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = new Promise((resolve) => this.#child.once("exit", resolve));
      this.#child.kill(signal);
      await ended;
    }
  }
}

interface RunFile {
  readonly addresses: readonly { readonly port: number }[];
}
