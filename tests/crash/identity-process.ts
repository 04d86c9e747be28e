import { type ChildProcess, spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const main = path.resolve(import.meta.dirname, "../../servers/identity-server/dist/main.js");

/** The identity server as its own process, to be killed. */
export class IdentityProcess {
  readonly baseUrl: string;
  readonly #child: ChildProcess;

  private constructor(baseUrl: string, child: ChildProcess) {
    this.baseUrl = baseUrl;
    this.#child = child;
  }

  /** Starts it and kills it after a while, ready or not. */
  static async startAndKill(dataDirectory: string, afterMs: number): Promise<void> {
    const { child } = spawnServer(dataDirectory);
    await delay(afterMs);
    await end(child, "SIGKILL");
  }

  static async start(dataDirectory: string): Promise<IdentityProcess> {
    const runFile = path.join(dataDirectory, "run", "identity.json");
    // The one a killed process has left would be taken for ours.
    await rm(runFile, { force: true });
    const { child, output } = spawnServer(dataDirectory);
    for (let waitedMs = 0; waitedMs < 20_000; waitedMs += 10) {
      if (child.exitCode !== null) {
        throw new Error(`the identity server ended with ${child.exitCode}: ${output()}`);
      }
      const text = await readFile(runFile, "utf8").catch(() => undefined);
      const address = text === undefined ? undefined : (JSON.parse(text) as RunFile).addresses[0];
      if (address !== undefined) {
        return new IdentityProcess(`http://127.0.0.1:${address.port}`, child);
      }
      await delay(10);
    }
    child.kill("SIGKILL");
    throw new Error(`the identity server did not get ready: ${output()}`);
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

function spawnServer(dataDirectory: string): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [main, "--data-dir", dataDirectory], {
    cwd: dataDirectory,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      TREFOIL_IDENTITY_HTTP_PORT: "0",
      TREFOIL_IDENTITY_HTTPS_PORT: "0",
      TREFOIL_IDENTITY_PUBLIC_URL: "https://localhost:8443",
      TREFOIL_IDENTITY_PASSWORD_MEMORY_KIB: "7168",
      TREFOIL_IDENTITY_PASSWORD_ITERATIONS: "1",
      TREFOIL_LOG_LEVEL: "error",
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
