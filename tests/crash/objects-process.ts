import { type ChildProcess, spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const main = path.resolve(import.meta.dirname, "../../servers/storage-server/dist/main.js");

export interface StartOptions {
  /** Files may not grow beyond this: what a full disk looks like to a process. */
  readonly fileLimitKib?: number;
}

/** The object store as its own process, to be killed. */
export class ObjectsProcess {
  /** `http://127.0.0.1:10000` */
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  static async start(dataDirectory: string, { fileLimitKib }: StartOptions = {}): Promise<ObjectsProcess> {
    const runFile = path.join(dataDirectory, "run", "objects.json");
    // The one a killed process has left would be taken for ours.
    await rm(runFile, { force: true });
    const limit = fileLimitKib === undefined ? "" : `ulimit -f ${fileLimitKib}; `;
    const child = spawn("bash", ["-c", `${limit}exec "$0" "$@"`, process.execPath, main, "--data-dir", dataDirectory], {
      cwd: dataDirectory,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        TREFOIL_OBJECTS_HTTP_PORT: "0",
        TREFOIL_OBJECTS_HTTPS_ENABLED: "false",
        TREFOIL_LOG_LEVEL: "warn",
      },
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    for (let waitedMs = 0; waitedMs < 20_000; waitedMs += 20) {
      if (child.exitCode !== null) {
        throw new Error(`the object store ended with ${child.exitCode}: ${output}`);
      }
      const text = await readFile(runFile, "utf8").catch(() => undefined);
      const address = text === undefined ? undefined : (JSON.parse(text) as RunFile).addresses[0];
      if (address !== undefined) {
        return new ObjectsProcess(`http://127.0.0.1:${address.port}`, child);
      }
      await delay(20);
    }
    child.kill("SIGKILL");
    throw new Error(`the object store did not get ready: ${output}`);
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
