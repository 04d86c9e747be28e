export { type RunningStorageServer, startStorageServer, type StorageServerOptions } from "./server.ts";
