export { exitCodes, type ExitCode, isPermanentStartError, startErrorExitCodes } from "./exit-codes.ts";
