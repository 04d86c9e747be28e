export { ServerCertificates, type ServerCertificatesOptions } from "./certificates.ts";
export { closeAll } from "./close-all.ts";
export { exitCodes, type ExitCode, isPermanentStartError, startErrorExitCodes } from "./exit-codes.ts";
export { listenersOf } from "./listeners.ts";
export { findOpenFilesWarning } from "./open-files.ts";
export { type RunningServer, runServerProcess, type ServerContext, type ServerProcess } from "./run-server-process.ts";
export { type ReportedAddress, type RunFile, runFileOf, type ServerMessage } from "./supervision.ts";
