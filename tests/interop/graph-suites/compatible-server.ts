import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const main = path.resolve(import.meta.dirname, "../../../servers/graph-server/dist/main.js");

/** A graph server as unmodified applications of the 2.3 era want it (`graph.compatibility=2.3`), with an empty store. */
export class CompatibleServer {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, child: ChildProcess, folder: string) {
    this.port = port;
    this.#child = child;
    this.#folder = folder;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @throws with its output when it ends before it is ready */
  static async start(properties: Readonly<Record<string, string>> = {}): Promise<CompatibleServer> {
    const folder = await mkdtemp(path.join(tmpdir(), "trefoil-compatible-"));
    const all = { "graph.compatibility": "2.3", "graph.http.port": "0", "graph.https.port": "0", ...properties };
    const file = path.join(folder, "trefoil.properties");
    await writeFile(
      file,
      Object.entries(all).map(([key, value]) => `${key}=${value}\n`),
    );
    const child = spawn(process.execPath, [main, "--config", file, "--data-dir", path.join(folder, "data")], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const ready = once(child, "message") as Promise<[Ready]>;
    const [message] = await Promise.race([ready, once(child, "exit").then(() => [undefined] as const)]);
    const port = message?.addresses?.find(({ protocol }) => protocol === "http")?.port;
    if (port === undefined) {
      const closed = once(child, "close");
      child.kill();
      await closed;
      await rm(folder, { recursive: true, force: true });
      throw new Error(`the graph server did not start: ${JSON.stringify(message)} ${output}`);
    }
    return new CompatibleServer(port, child, folder);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

interface Ready {
  readonly addresses?: readonly { readonly protocol: string; readonly port: number }[];
}
