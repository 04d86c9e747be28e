import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** Where the program is that starts the real 2.3 server; it is not part of the project. */
const folder = process.env["TREFOIL_REAL_SERVER"] ?? path.resolve(import.meta.dirname, "../../../../shared/oracle");
const program = path.join(folder, "start.sh");

/** The first start fetches its libraries. */
const PATIENCE_MS = 180_000;

/** Why there is no real server to ask, if so. */
export function whyNoRealServer(): string | undefined {
  if (!existsSync(program)) {
    return "set TREFOIL_REAL_SERVER to the folder with start.sh of the real 2.3 server";
  }
  const missing = ["java", "mvn"].find((each) => spawnSync(each, ["-version"], { stdio: "ignore" }).status !== 0);
  return missing === undefined ? undefined : `the real 2.3 server needs ${missing}`;
}

/** The server whose answers ours are compared with, on a free port of loopback, with an empty store. */
export class RealServer {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #data: string;

  private constructor(url: string, child: ChildProcess, data: string) {
    this.url = url;
    this.#child = child;
    this.#data = data;
  }

  static async start(): Promise<RealServer> {
    const data = await mkdtemp(path.join(tmpdir(), "trefoil-real-server-"));
    const url = `http://127.0.0.1:${await freePort()}`;
    // A group of its own, since the program starts another one.
    const child = spawn("bash", [program, new URL(url).port, data, "false"], { stdio: "ignore", detached: true });
    const server = new RealServer(url, child, data);
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await answers(url))) {
      if (child.exitCode !== null || Date.now() > deadline) {
        await server.stop();
        throw new Error("the real server did not start");
      }
      await wait(200);
    }
    return server;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.pid !== undefined) {
      const ended = once(this.#child, "exit");
      process.kill(-this.#child.pid, "SIGTERM");
      await ended;
    }
    await rm(this.#data, { recursive: true, force: true });
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
