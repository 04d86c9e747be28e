import type { Configuration } from "@trefoil/config";
import type { ManagementClient } from "./management-client.ts";
import type { ProgressBar } from "./output/progress-bar.ts";
import type { ServerName } from "./server-names.ts";

/**
 * What a command gets to work with. The options `--config`, `--data-dir` and `--json` belong to the program and are
 * understood everywhere on the line: commands do not declare them, they are already taken into account here.
 */
export interface CommandContext {
  /** Whether `--json` was given: print with `printJson` only. */
  readonly wantsJson: boolean;
  /** The configuration that the servers of this data folder would start with; read once. */
  configuration(): Promise<Configuration>;
  /** The data folder as an absolute path; it may not exist yet. */
  dataDirectory(): Promise<string>;
  /**
   * A client of the running server's management interface that authenticates by the data folder's token and trusts
   * the local certificate authority. Ends the command with exit code 3 when the server is not running.
   */
  management(server: ServerName): Promise<ManagementClient>;
  /** Rows as aligned columns, titles first; with `--json` the same rows as an array of objects. */
  printTable(rows: readonly object[], columns?: readonly string[]): void;
  /** One JSON document, indented. */
  printJson(value: unknown): void;
  /** A line for people; left out when `--json` was given. */
  print(line: string): void;
  /** A line on standard error: warnings and what belongs to no result. */
  warn(line: string): void;
  /** Ends the command: the message goes to standard error. Throws; nothing after it runs. */
  fail(message: string, exitCode?: number): never;
  /**
   * A secret from a file (`-` means standard input), or else asked for without echo on a terminal, or read from
   * standard input when that is not a terminal. A final line break is dropped; empty input fails.
   */
  readSecret(source: { readonly file?: string | undefined; readonly what: string }): Promise<string>;
  /** Drawn on a terminal only, on standard error; elsewhere it does nothing. */
  progressBar(options: { readonly label: string; readonly total: number; readonly unit?: string }): ProgressBar;
}
