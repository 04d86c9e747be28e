import { type ProcedureCall } from "./ast/clauses.ts";
import { type Mode } from "./ast/node.ts";
import { type Prefix, type Query, type Statement, type StatementBody } from "./ast/statement.ts";
import { QueryError } from "./errors.ts";
import { administrationCommand } from "./parser/administration.ts";
import { Cursor, type Rules } from "./parser/cursor.ts";
import { expression, predicate } from "./parser/expressions.ts";
import { pathPattern } from "./parser/path-patterns.ts";
import { checkOldestStart, checkOldestSyntax } from "./parser/oldest-language.ts";
import { readPrefix } from "./parser/prefix.ts";
import { query, subquery } from "./parser/queries.ts";
import { findSchemaCommand } from "./parser/schema-commands.ts";

export interface ParseOptions {
  /** The server's language; a version prefix in the statement wins over it. */
  readonly mode: Mode;
}

const rules: Rules = { expression, predicate, pathPattern, subquery };

/**
 * Parses one statement, with its prefixes and an optional `;` at the end.
 *
 * @throws QueryError `ClientError.Statement.InvalidSyntax` at the first token that fits nowhere, with position, line
 *                    and caret in the message; `InvalidArguments` for prefixes that contradict each other. Scopes and
 *                    types are not looked at: whether a name is defined is for whoever binds the tree.
 */
export function parseStatement(text: string, options: ParseOptions): Statement {
  const { prefix, mode, cursor } = openStatement(text, options);
  refuseEmpty(cursor);
  const isOldest = prefix.version === "1.9";
  if (isOldest) {
    checkOldestStart(cursor);
  }
  const body = statementBody(cursor);
  refuseSecondStatement(cursor);
  if (isOldest) {
    checkOldestSyntax(body, cursor);
  }
  return { kind: "Statement", position: prefix.position, text, mode, prefix, body };
}

/** Reads the prefixes; the cursor then stands before the statement proper. */
export function openStatement(
  text: string,
  options: ParseOptions,
  offset = 0,
): { readonly prefix: Prefix; readonly mode: Mode; readonly cursor: Cursor } {
  const start = new Cursor(text, options.mode, rules, offset);
  const { prefix, mode, bodyOffset } = readPrefix(start);
  // The prefix can change the mode, and with it what is a token: `$` belongs to names in 2.3.
  const cursor = mode === options.mode ? start : new Cursor(text, mode, rules, bodyOffset);
  return { prefix, mode, cursor };
}

/** The statement proper and all that may follow it, up to the end of the text. */
export function readToEnd(cursor: Cursor): void {
  statementBody(cursor);
  refuseSecondStatement(cursor);
}

function statementBody(cursor: Cursor): StatementBody {
  if (!cursor.isModern) {
    cursor.expected("a statement");
  }
  return findSchemaCommand(cursor) ?? administrationCommand(cursor) ?? markStandaloneCall(query(cursor));
}

/** A procedure call that is all there is may leave out its arguments and YIELD. */
function markStandaloneCall(parsed: Query): Query {
  const [only] = parsed.first.clauses;
  if (only?.kind !== "ProcedureCall" || parsed.first.clauses.length > 1 || parsed.unions.length > 0) {
    return parsed;
  }
  const call: ProcedureCall = { ...only, standalone: true };
  return { ...parsed, first: { ...parsed.first, clauses: [call] } };
}

/**
 * An empty statement is a syntax error in modern mode. In 2.3 mode it keeps the code the real server gives, which
 * blames itself (graph-measured.md, "bad pre-parser options").
 */
function refuseEmpty(cursor: Cursor): void {
  if (cursor.kind !== "end") {
    return;
  }
  const { line, column, offset } = cursor.position();
  const wanted = "whitespace, CYPHER options, EXPLAIN, PROFILE, PLANNER or Query";
  const message = `Unexpected end of input: expected ${wanted}`;
  if (cursor.isModern) {
    throw cursor.error(message, cursor.position(), "UnexpectedSyntax");
  }
  const place = `(line ${line}, column ${column} (offset: ${offset}))`;
  throw new QueryError("DatabaseError.Statement.ExecutionFailure", `${message} ${place}`, {
    phase: "compile time",
    position: cursor.position(),
    tckDetail: "UnexpectedSyntax",
  });
}

function refuseSecondStatement(cursor: Cursor): void {
  let statements = 1;
  while (cursor.accept(";")) {
    if (cursor.kind !== "end") {
      statementBody(cursor);
      statements += 1;
    }
  }
  if (cursor.kind !== "end") {
    cursor.expected("end of input");
    cursor.fail();
  }
  if (statements > 1) {
    throw new QueryError(
      "ClientError.Statement.InvalidSyntax",
      `Expected exactly one statement per query but got: ${statements}`,
      { phase: "compile time", tckDetail: "UnexpectedSyntax" },
    );
  }
}
