import { type Mode, type ProcedureCall, type Query, type Statement, type StatementBody } from "./ast.ts";
import { QueryError } from "./errors.ts";
import { administrationCommand } from "./parser/administration.ts";
import { Cursor, type Rules } from "./parser/cursor.ts";
import { expression, predicate } from "./parser/expressions.ts";
import { pathPattern } from "./parser/path-patterns.ts";
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
  const start = new Cursor(text, options.mode, rules);
  const position = start.position();
  const { prefix, mode, bodyOffset } = readPrefix(start);
  // The prefix can change the mode, and with it what is a token: `$` belongs to names in 2.3.
  const cursor = mode === options.mode ? start : new Cursor(text, mode, rules, bodyOffset);
  refuseEmpty(cursor);
  const body = statementBody(cursor);
  refuseSecondStatement(cursor);
  return { kind: "Statement", position, text, mode, prefix, body };
}

function statementBody(cursor: Cursor): StatementBody {
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

/** @source graph-measured.md: an empty statement is a DatabaseError of the 2.3 server, and ours a plain syntax error */
function refuseEmpty(cursor: Cursor): void {
  if (cursor.kind === "end") {
    for (const what of ["CYPHER options", "EXPLAIN", "PROFILE", "PLANNER", "Query"]) {
      cursor.expected(what);
    }
    cursor.fail();
  }
}

function refuseSecondStatement(cursor: Cursor): void {
  let statements = 1;
  while (cursor.accept(";")) {
    if (cursor.kind !== "end" && cursor.kind !== ";") {
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
