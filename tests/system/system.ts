import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "./free-port.ts";
import { runProgram } from "./run-program.ts";

const repository = path.resolve(import.meta.dirname, "../..");
const entry = path.join(repository, "apps/cli/bin/trefoil.js");

/** What the first start wrote for its owner (design: `initial-credentials.json`). */
export interface Credentials {
  readonly identity: {
    readonly issuer: string;
    readonly issuerV2: string;
    readonly tenantId: string;
    readonly tenantDomain: string;
    readonly administrator: { readonly username: string; readonly password: string };
  };
  readonly objects: {
    readonly endpoint: string;
    readonly account: string;
    readonly keys: readonly string[];
    readonly connectionString: string;
  };
  readonly graph: {
    readonly endpoint: string;
    readonly username: string;
    readonly password: string;
    readonly passwordChangeRequired: boolean;
  };
  readonly certificateAuthority: string;
}

export interface SystemOptions {
  /** Further lines of `trefoil.properties`. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly only?: readonly ("identity" | "objects" | "graph")[];
}

/** All three servers as a user starts them: one command, a data folder of their own, free ports. */
export class System {
  readonly dataDirectory: string;
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #output: string[];
  readonly #ports: Readonly<Record<string, number>>;

  private constructor(
    folder: string,
    process: ChildProcess,
    output: string[],
    ports: Readonly<Record<string, number>>,
  ) {
    this.#folder = folder;
    this.#ports = ports;
    this.dataDirectory = path.join(folder, "data");
    this.#process = process;
    this.#output = output;
  }

  static async start({ properties = {}, only }: SystemOptions = {}): Promise<System> {
    const folder = await mkdtemp(path.join(tmpdir(), "trefoil-system-"));
    const keys = ["identity", "objects", "graph"].flatMap((server) => [`${server}.http.port`, `${server}.https.port`]);
    const portOf = async (key: string): Promise<number> => Number(properties[key] ?? (await findFreePort()));
    const ports = Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await portOf(key)] as const)));
    const all = {
      ...ports,
      "identity.public_url": `https://localhost:${ports["identity.https.port"]}`,
      "graph.initial_password": "correct horse",
      ...properties,
    };
    const lines = Object.entries(all).map(([key, value]) => `${key}=${value}`);
    await writeFile(path.join(folder, "trefoil.properties"), `${lines.join("\n")}\n`);
    const child = spawn(
      process.execPath,
      [entry, "start", "--data-dir", path.join(folder, "data"), ...(only === undefined ? [] : ["--only", only.join()])],
      { cwd: folder, stdio: ["ignore", "pipe", "pipe"] },
    );
    const output: string[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk.toString()));
    const system = new System(folder, child, output, ports);
    const servers = only ?? ["identity", "objects", "graph"];
    try {
      await Promise.all(servers.map((server) => system.#whenReady(ports[`${server}.http.port`] ?? 0)));
    } catch (error) {
      // Nobody else could end it.
      await system.stop();
      throw error;
    }
    return system;
  }

  /** Everything printed so far: the table, then the logs. */
  get output(): string {
    return this.#output.join("");
  }

  /** Where the system was started: its properties file is here. */
  get workingDirectory(): string {
    return this.#folder;
  }

  get processId(): number {
    return this.#process.pid ?? 0;
  }

  /** Where a server listens in plain HTTP, without a final slash. */
  baseUrl(server: "identity" | "objects" | "graph"): string {
    return `http://localhost:${this.#ports[`${server}.http.port`]}`;
  }

  /** Where it listens in HTTPS. */
  secureUrl(server: "identity" | "objects" | "graph"): string {
    return `https://localhost:${this.#ports[`${server}.https.port`]}`;
  }

  async credentials(): Promise<Credentials> {
    return JSON.parse(await readFile(path.join(this.dataDirectory, "initial-credentials.json"), "utf8")) as Credentials;
  }

  /** `npx trefoil …words --json`, its answer parsed. */
  async trefoil<Answer>(...words: readonly string[]): Promise<Answer> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [entry, ...words, "--data-dir", this.dataDirectory, "--json"],
      { cwd: this.#folder },
    );
    return JSON.parse(stdout) as Answer;
  }

  /**
   * Runs a client program of `tests/interop/clients` as its own process, with nothing trusted but the local
   * authority. It gets `input` as JSON on standard input and answers JSON on standard output.
   */
  async runClient<Answer>(program: string, input: unknown): Promise<Answer> {
    const environment = { NODE_EXTRA_CA_CERTS: path.join(this.dataDirectory, "tls/ca.pem") };
    const words = [path.join(repository, "tests/interop/clients", program)];
    return JSON.parse(await runProgram(process.execPath, words, { input, environment })) as Answer;
  }

  /** Ends the system as Ctrl-C does, and removes its folder. */
  async stop(): Promise<void> {
    if (this.#process.exitCode === null) {
      const ended = new Promise((resolve) => this.#process.once("exit", resolve));
      this.#process.kill("SIGTERM");
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #whenReady(port: number): Promise<void> {
    const deadlineMs = Date.now() + 30_000;
    for (;;) {
      if (this.#process.exitCode !== null || Date.now() > deadlineMs) {
        throw new Error(`the system did not get ready:\n${this.output}`);
      }
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
      if (answer?.ok === true) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
