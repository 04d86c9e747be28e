import { isPermanentStartError } from "@trefoil/server-process/exit-codes";
import type { ReportedAddress, ServerMessage } from "@trefoil/server-process/supervision";
import { type ChildProcess, fork, type StdioOptions } from "node:child_process";
import type { Readable } from "node:stream";
import type { ServerName } from "../server-names.ts";

export interface ServerChildOptions {
  readonly server: ServerName;
  readonly mainFile: string;
  readonly arguments: readonly string[];
  /** Where the child's lines go; without it the child writes to the supervisor's own output. */
  readonly writeLog?: ((chunk: Buffer) => void) | undefined;
  readonly on: ServerChildEvents;
}

export interface ServerChildEvents {
  ready(server: ServerName, addresses: readonly ReportedAddress[], pid: number): void;
  /** The child ended by itself and will be started again after the delay. */
  crashed(server: ServerName, how: string, restartInMs: number): void;
  /** A start error that another try cannot mend: the child stays down. */
  failed(server: ServerName, message: string, exitCode: number): void;
}

/** First delay after a crash; it doubles up to the longest while crashes follow one another. */
const firstDelayMs = 250;
const longestDelayMs = 30_000;
/** A child that was ready for this long starts the delays anew. */
const steadyMs = 60_000;
/** How long a child may take to end before it is killed: longer than its own limit. */
const stopLimitMs = 60_000;

/**
 * Flags of the JavaScript engine by server. A start fills the young generation to its limit (3 × 16 MiB by default), and
 * an idle process keeps that for a minute: they get by with less. The object store's is smallest, because the bytes of
 * uploads lie outside of it and go when it is cleaned: with more room they pile up until the engine, which counts them
 * too, cleans everything instead. What outlives so small a nursery is garbage soon after; the rest of the heap may grow by
 * half before it is looked at (decisions/0170), the provider's by three tenths (decisions/0162). The object store's
 * threads each clean their own heap: four that help with so small ones take more of the processor than they save. They
 * do so when three tenths of the nursery are full, so that its uploads' bytes go sooner still.
 */
const engineFlags: Readonly<Record<ServerName, readonly string[]>> = {
  identity: ["--max-semi-space-size=4", "--heap-growing-percent=30"],
  objects: [
    "--max-semi-space-size=1",
    "--minor-gc-task-trigger=30",
    "--heap-growing-percent=50",
    "--single-threaded-gc",
  ],
  graph: ["--max-semi-space-size=8"],
};

/**
 * Variables of the C library by server. Threads get an arena of memory each, which keeps what it had at its fullest: those
 * that sign, and the engine's own, which compile. One together keeps least (decisions/0162). What is free at its end is given
 * back: large buffers, of a compilation (decisions/0203) or an import (decisions/0197), would raise what it keeps. The object
 * store keeps more, since the parts of its next uploads take as much again, and what was given back has to be had page by
 * page (decisions/0170). What the caller sets himself counts.
 */
const libraryVariables: Readonly<Record<ServerName, Readonly<Record<string, string>>>> = {
  identity: { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "131072" },
  objects: { MALLOC_TRIM_THRESHOLD_: "16777216" },
  graph: { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "1048576" },
};

/**
 * One server as a child process, kept alive:
 *
 *     starting ──ready──▶ ready ──crash──▶ waiting ──delay──▶ starting
 *        └──start error──▶ failed          stop() from everywhere ──▶ stopped
 */
export class ServerChild {
  readonly #options: ServerChildOptions;
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #delayMs = firstDelayMs;
  #isStopping = false;

  constructor(options: ServerChildOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    const { mainFile, server, on, writeLog } = this.#options;
    const output = writeLog === undefined ? "inherit" : "pipe";
    const stdio: StdioOptions = ["ignore", output, output, "ipc"];
    const env = { ...libraryVariables[server], ...process.env };
    const child = fork(mainFile, this.#options.arguments, { stdio, env, execArgv: [...engineFlags[server]] });
    this.#child = child;
    if (writeLog !== undefined) {
      forward(child.stdout, writeLog);
      forward(child.stderr, writeLog);
    }
    let startError = "";
    let readyAtMs: number | undefined;
    child.on("message", (message: ServerMessage) => {
      if (message.kind === "ready") {
        readyAtMs = Date.now();
        on.ready(server, message.addresses, child.pid ?? 0);
      } else {
        startError = message.message;
      }
    });
    let isOver = false;
    const over = (exitCode: number | null, how: string): void => {
      if (isOver) {
        return;
      }
      isOver = true;
      this.#child = undefined;
      if (!this.#isStopping) {
        this.#afterEnd(exitCode, startError, how, readyAtMs);
      }
    };
    child.once("error", (error) => over(null, error.message));
    child.once("exit", (code, signal) => over(code, signal === null ? `ended with ${code}` : `ended by ${signal}`));
  }

  /** Ends the child in order, and for good. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined) {
      return;
    }
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    const limit = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
    await ended;
    clearTimeout(limit);
  }

  /** Ends the child at once: for a user who does not want to wait. */
  kill(): void {
    this.#isStopping = true;
    this.#child?.kill("SIGKILL");
  }

  #afterEnd(exitCode: number | null, startError: string, how: string, readyAtMs: number | undefined): void {
    const { server, on } = this.#options;
    if (isPermanentStartError(exitCode)) {
      on.failed(server, startError === "" ? how : startError, exitCode ?? 1);
      return;
    }
    if (readyAtMs !== undefined && Date.now() - readyAtMs > steadyMs) {
      this.#delayMs = firstDelayMs;
    }
    const delayMs = this.#delayMs;
    this.#delayMs = Math.min(delayMs * 2, longestDelayMs);
    on.crashed(server, startError === "" ? how : `${how}: ${startError}`, delayMs);
    this.#timer = setTimeout(() => this.start(), delayMs);
  }
}

function forward(stream: Readable | null, write: (chunk: Buffer) => void): void {
  stream?.on("data", write);
}
