/**
 * The language: text to syntax tree and back, for both eras, and what an editor needs. Pure: no clock, no files, no
 * sockets. What names mean, and which types fit, is the engine's binder's business.
 */
export type * from "./ast/clauses.ts";
export type * from "./ast/commands.ts";
export type * from "./ast/expressions.ts";
export type { Mode } from "./ast/node.ts";
export type * from "./ast/patterns.ts";
export type * from "./ast/statement.ts";
export { type Expectation, expectedAt } from "./editor/expected-at.ts";
export { findSyntaxErrors } from "./editor/find-errors.ts";
export { splitStatements, type StatementText } from "./editor/split-statements.ts";
export { type HighlightToken, type TokenCategory, tokenize } from "./editor/tokenize.ts";
export { type Phase, type Position, QueryError, type StatusCode } from "./errors.ts";
export { parseStatement, type ParseOptions } from "./parse.ts";
export { printStatement } from "./print.ts";
export { simpleLabels, simpleTypes } from "./simple-labels.ts";
export { renderWithPosition, syntaxError } from "./syntax-error.ts";
