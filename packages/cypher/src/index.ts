export type * from "./ast.ts";
export { type Phase, type Position, QueryError, type StatusCode } from "./errors.ts";
export { simpleLabels, simpleTypes } from "./simple-labels.ts";
