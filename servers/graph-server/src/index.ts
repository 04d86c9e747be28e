export { type JsonValue, parseJson, writeJson } from "@trefoil/graph-http";
export { type GraphServerOptions, type RunningGraphServer, startGraphServer } from "./server.ts";
