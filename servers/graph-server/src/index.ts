export { type JsonValue, parseJson, writeJson } from "@trefoil/graph-http";
export { startGraphServer } from "./server.ts";
