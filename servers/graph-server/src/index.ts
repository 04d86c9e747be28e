export { type JsonValue, parseJson, writeJson } from "@trefoil/graph-http";
export { restoreGraph } from "./restore-graph.ts";
export { startGraphServer } from "./server.ts";
