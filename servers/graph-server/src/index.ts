export { type GraphServerOptions, type RunningGraphServer, startGraphServer } from "./server.ts";
