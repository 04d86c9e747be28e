import type { StartErrorCode } from "@trefoil/base";
import path from "node:path";

/** Where a server can be reached, as its process tells its supervisor and writes into its run file. */
export interface ReportedAddress {
  readonly protocol: string;
  readonly address: string;
  readonly port: number;
  readonly url: string;
}

/** What a server's process says to its supervisor over the IPC channel. */
export type ServerMessage =
  | { readonly kind: "ready"; readonly addresses: readonly ReportedAddress[] }
  | { readonly kind: "start-error"; readonly code: StartErrorCode | "unexpected"; readonly message: string };

/** `data/run/<server>.json`: written when a server is ready, removed when it ends in order. */
export interface RunFile {
  readonly server: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly addresses: readonly ReportedAddress[];
}

export function runFileOf(dataDirectory: string, server: string): string {
  return path.join(dataDirectory, "run", `${server}.json`);
}
