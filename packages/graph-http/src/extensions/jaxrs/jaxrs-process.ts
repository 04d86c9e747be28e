import { StartError } from "@trefoil/base";
import { type FastifyBaseLogger } from "fastify";
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

/** A package of resource classes and where it answers. */
export interface JarMount {
  readonly packageName: string;
  readonly mountPath: string;
}

export interface JaxrsOptions {
  /** The folder of the built host: `apps/jaxrs-host/dist`. */
  readonly homeDirectory: string;
  /** Tried in this order; the first that starts is used. */
  readonly javaPrograms: readonly string[];
  /** Where this server answers on this machine in plain HTTP, once it listens. */
  readonly databaseUrl: () => string | undefined;
}

const START_LIMIT_MS = 60_000;

/** The Java process that serves the resource classes of jars, for this server alone (docs/decisions/0142). */
export class JaxrsProcess {
  readonly port: number;
  /** Requests without it are refused by the process. */
  readonly secret: string;
  readonly mounts: readonly JarMount[];
  readonly #child: ChildProcess;
  #isRunning = true;

  private constructor(child: ChildProcess, port: number, secret: string, mounts: readonly JarMount[]) {
    this.#child = child;
    this.port = port;
    this.secret = secret;
    this.mounts = mounts;
    child.once("exit", () => {
      this.#isRunning = false;
    });
  }

  /** False when the process has ended by itself. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** @throws StartError "configuration"  saying which package cannot be mounted, or what is missing on this machine */
  static async start(
    options: JaxrsOptions,
    jars: readonly string[],
    mounts: readonly JarMount[],
    log: FastifyBaseLogger,
  ): Promise<JaxrsProcess> {
    const launcher = path.join(options.homeDirectory, "trefoil-jaxrs-launcher.jar");
    if (!existsSync(launcher)) {
      throw notPossible(
        mounts,
        "the host of jars is not built here: npm run build:jaxrs-host (it takes Java 17 and Maven)",
      );
    }
    const classPath = [launcher, path.join(options.homeDirectory, "trefoil-graph-api.jar")].join(path.delimiter);
    const child = await startJava(options.javaPrograms, ["-cp", classPath, "trefoil.jaxrs.Launcher"]);
    if (child === undefined) {
      throw notPossible(
        mounts,
        "it takes Java 17 or later, and neither JAVA_HOME nor the path leads to a java program",
      );
    }
    createInterface({ input: child.stderr }).on("line", (line) => log.info({ extension: "jaxrs" }, line));
    const secret = randomBytes(32).toString("base64url");
    // Its pipe may break when it fails at once: what it says about that is read below.
    child.stdin.on("error", () => undefined);
    const wanted = mounts.map(({ packageName, mountPath }) => ({ package: packageName, path: mountPath }));
    child.stdin.write(`${JSON.stringify({ home: options.homeDirectory, jars, mounts: wanted, secret })}\n`);
    const { port, error } = await firstLine(child);
    if (port === undefined) {
      child.kill();
      throw new StartError("configuration", error ?? "the host of jars ended before it was ready; see the log");
    }
    const process = new JaxrsProcess(child, port, secret, mounts);
    child.once("exit", (code) => {
      log.warn({ code }, "the host of jars has ended; trefoil graph extensions reload starts it again");
    });
    return process;
  }

  stop(): void {
    this.#child.removeAllListeners("exit");
    this.#isRunning = false;
    this.#child.kill();
  }
}

type JavaProcess = ChildProcess & {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
};

/** Undefined when none of the programs is there. */
async function startJava(programs: readonly string[], words: readonly string[]): Promise<JavaProcess | undefined> {
  for (const program of programs) {
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "pipe"] });
    const isThere = await new Promise<boolean>((resolve) => {
      child.once("spawn", () => resolve(true));
      child.once("error", () => resolve(false));
    });
    if (isThere) {
      return child;
    }
  }
  return undefined;
}

/** What the process says when it is ready or cannot be. */
async function firstLine(child: JavaProcess): Promise<{ readonly port?: number; readonly error?: string }> {
  return await new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ error: "the host of jars did not get ready in time" }), START_LIMIT_MS);
    const done = (answer: { readonly port?: number; readonly error?: string }): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    const lines = createInterface({ input: child.stdout });
    lines.once("line", (line) => done(JSON.parse(line) as { port?: number; error?: string }));
    lines.once("close", () => done({}));
  });
}

function notPossible(mounts: readonly JarMount[], why: string): StartError {
  const packages = mounts.map(({ packageName }) => packageName).join(", ");
  return new StartError("configuration", `the package ${packages} is to be mounted from a jar, but ${why}`);
}
