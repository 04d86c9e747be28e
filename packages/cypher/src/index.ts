export type * from "./ast.ts";
export { type Phase, type Position, QueryError, type StatusCode } from "./errors.ts";
export { parseStatement, type ParseOptions } from "./parse.ts";
export { simpleLabels, simpleTypes } from "./simple-labels.ts";
export { printStatement } from "./print.ts";
export { renderWithPosition, syntaxError } from "./syntax-error.ts";
