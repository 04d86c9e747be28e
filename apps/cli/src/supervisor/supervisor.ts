import type { ReportedAddress } from "@trefoil/server-process/supervision";
import { mainFileOf } from "../main-files.ts";
import type { ServerName } from "../server-names.ts";
import { ServerChild } from "./server-child.ts";

export interface SupervisorOptions {
  readonly servers: readonly ServerName[];
  /** For every server: `--config`, `--data-dir`. */
  readonly arguments: readonly string[];
  readonly writeLog?: ((chunk: Buffer) => void) | undefined;
  /** One line about the children: a crash, a failure, a restart. */
  readonly report: (line: string) => void;
  readonly mainFile?: ((server: ServerName) => string) | undefined;
}

export type FirstStart =
  | { readonly kind: "ready"; readonly addresses: ReadonlyMap<ServerName, readonly ReportedAddress[]> }
  | { readonly kind: "failed"; readonly server: ServerName; readonly message: string; readonly exitCode: number };

/** Keeps one child process per server alive. */
export class Supervisor {
  readonly #children: readonly ServerChild[];
  readonly #addresses = new Map<ServerName, readonly ReportedAddress[]>();
  /** All servers were ready once, or one of them cannot be started. */
  readonly firstStart: Promise<FirstStart>;
  /** Every server has failed: there is nothing left to supervise. Resolves with the last one's exit code. */
  readonly nothingLeft: Promise<number>;

  constructor(options: SupervisorOptions) {
    const first = withResolvers<FirstStart>();
    const nothingLeft = withResolvers<number>();
    this.firstStart = first.promise;
    this.nothingLeft = nothingLeft.promise;
    const failed = new Set<ServerName>();
    const on = {
      ready: (server: ServerName, addresses: readonly ReportedAddress[]): void => {
        if (this.#addresses.has(server)) {
          options.report(`${server} is back`);
        }
        this.#addresses.set(server, addresses);
        if (this.#addresses.size === options.servers.length) {
          first.resolve({ kind: "ready", addresses: this.#addresses });
        }
      },
      crashed: (server: ServerName, how: string, restartInMs: number): void => {
        options.report(`${server} ${how}; starting it again in ${restartInMs / 1000} s`);
      },
      failed: (server: ServerName, message: string, exitCode: number): void => {
        options.report(`${server}: ${message}`);
        first.resolve({ kind: "failed", server, message, exitCode });
        failed.add(server);
        if (failed.size === options.servers.length) {
          nothingLeft.resolve(exitCode);
        }
      },
    };
    this.#children = options.servers.map(
      (server) =>
        new ServerChild({
          server,
          mainFile: (options.mainFile ?? mainFileOf)(server),
          arguments: options.arguments,
          writeLog: options.writeLog,
          on,
        }),
    );
  }

  start(): void {
    for (const child of this.#children) {
      child.start();
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.stop()));
  }

  kill(): void {
    for (const child of this.#children) {
      child.kill();
    }
  }
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((given) => (resolve = given));
  return { promise, resolve };
}
