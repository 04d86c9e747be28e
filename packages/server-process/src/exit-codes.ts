import type { StartErrorCode } from "@trefoil/base";

/** What the processes and the command line end with; documented in docs/operations.md. */
export const exitCodes = {
  success: 0,
  failure: 1,
  usage: 2,
  notRunning: 3,
  notReadyInTime: 4,
  configuration: 10,
  lock: 11,
  port: 12,
  store: 13,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Start errors that another try cannot mend: the supervisor does not restart after these. */
export const startErrorExitCodes: Readonly<Record<StartErrorCode, number>> = {
  configuration: exitCodes.configuration,
  lock: exitCodes.lock,
  port: exitCodes.port,
  store: exitCodes.store,
};

export function isPermanentStartError(exitCode: number | null): boolean {
  return exitCode !== null && Object.values(startErrorExitCodes).includes(exitCode);
}
