import { type Clause } from "../ast/clauses.ts";
import { type PeriodicCommit, type Query, type SingleQuery, type Union } from "../ast/statement.ts";
import { call } from "./call-clauses.ts";
import { type Cursor } from "./cursor.ts";
import { integerLiteral } from "./literals.ts";
import { patternParts } from "./pattern-parts.ts";
import { findWhere } from "./projections.ts";
import { finish, loadCsv, match, returnClause, unwind, use, withClause } from "./reading-clauses.ts";
import { start } from "./start-clause.ts";
import { findUpdatingClause } from "./updating-clauses.ts";

/** `single query [UNION [ALL] single query]…` or `USING PERIODIC COMMIT [n] single query`. */
export function query(cursor: Cursor): Query {
  const position = cursor.position();
  const periodicCommit = cursor.atWord("USING") ? readPeriodicCommit(cursor) : undefined;
  const parts = periodicCommit === undefined ? unionOfQueries(cursor) : { first: singleQuery(cursor), unions: [] };
  return { kind: "Query", position, ...parts, periodicCommit };
}

/**
 * What stands in the braces of a subquery: a query, or a pattern with its WHERE, which becomes a MATCH without RETURN.
 */
export function subquery(cursor: Cursor): Query {
  const position = cursor.position();
  cursor.enter();
  const isQuery = cursor.isAnyWord(QUERY_STARTS) && cursor.kindAhead(1) !== "-" && cursor.kindAhead(1) !== "=";
  const parts = isQuery ? unionOfQueries(cursor) : { first: patternQuery(cursor), unions: [] };
  cursor.leave();
  return { kind: "Query", position, ...parts, periodicCommit: undefined };
}

function patternQuery(cursor: Cursor): SingleQuery {
  const position = cursor.position();
  const pattern = patternParts(cursor);
  const where = findWhere(cursor);
  const clause: Clause = {
    kind: "Match",
    position,
    optional: false,
    repeatableElements: false,
    pattern,
    hints: [],
    where,
  };
  return { kind: "SingleQuery", position, clauses: [clause] };
}

function unionOfQueries(cursor: Cursor): Pick<Query, "first" | "unions"> {
  const first = singleQuery(cursor);
  const unions: Union[] = [];
  while (cursor.atWord("UNION")) {
    const position = cursor.position();
    cursor.advance();
    const all = cursor.acceptWord("ALL");
    if (!all && cursor.isModern) {
      cursor.acceptWord("DISTINCT");
    }
    unions.push({ kind: "Union", position, all, query: singleQuery(cursor) });
  }
  return { first, unions };
}

function readPeriodicCommit(cursor: Cursor): PeriodicCommit {
  const position = cursor.position();
  cursor.acceptWords("USING", "PERIODIC", "COMMIT");
  refuseNegativeSize(cursor);
  const batchSize = cursor.kind === "integer" ? integerLiteral(cursor) : undefined;
  if (!cursor.atWord("LOAD")) {
    cursor.fail();
  }
  return { kind: "PeriodicCommit", position, batchSize };
}

function refuseNegativeSize(cursor: Cursor): void {
  if (cursor.kind === "-" && cursor.kindAhead(1) === "integer") {
    const position = cursor.position();
    cursor.advance();
    const message = `Commit size error - expected positive value larger than zero, got -${cursor.tokenText}`;
    throw cursor.error(message, position, "InvalidArgumentValue");
  }
}

function singleQuery(cursor: Cursor): SingleQuery {
  const position = cursor.position();
  const clauses: Clause[] = [];
  for (;;) {
    const next = findClause(cursor);
    if (next === undefined) {
      break;
    }
    clauses.push(next);
  }
  if (clauses.length === 0) {
    cursor.fail();
  }
  refuseYieldAll(cursor, clauses);
  return { kind: "SingleQuery", position, clauses };
}

/** TCK Call5 [7]: only a call that is the whole query may yield everything. */
function refuseYieldAll(cursor: Cursor, clauses: readonly Clause[]): void {
  for (const clause of clauses) {
    if (clauses.length > 1 && clause.kind === "ProcedureCall" && clause.yield?.star === true) {
      const message = "YIELD * is for a procedure call that is the whole query; name the fields here";
      throw cursor.error(message, clause.yield.position, "UnexpectedSyntax");
    }
  }
}

/** Clauses of both eras. */
const CLAUSES: ReadonlyMap<string, (cursor: Cursor) => Clause> = new Map<string, (cursor: Cursor) => Clause>([
  ["MATCH", match],
  ["OPTIONAL", match],
  ["RETURN", returnClause],
  ["WITH", withClause],
  ["UNWIND", unwind],
  ["START", start],
  ["LOAD", loadCsv],
]);

const MODERN_CLAUSES: ReadonlyMap<string, (cursor: Cursor) => Clause> = new Map<string, (cursor: Cursor) => Clause>([
  ["CALL", call],
  ["USE", use],
  ["FINISH", finish],
]);

/** A subquery that begins with none of these is a bare pattern. */
const QUERY_STARTS = [
  ...CLAUSES.keys(),
  ...MODERN_CLAUSES.keys(),
  "CREATE",
  "INSERT",
  "MERGE",
  "SET",
  "REMOVE",
  "DELETE",
  "DETACH",
  "NODETACH",
  "FOREACH",
];

function findClause(cursor: Cursor): Clause | undefined {
  if (cursor.kind !== "word") {
    cursor.expected("a clause");
    return undefined;
  }
  const word = cursor.tokenText.toUpperCase();
  if (cursor.isModern && word === "OPTIONAL" && cursor.isWord("CALL", 1)) {
    return call(cursor);
  }
  const rule = CLAUSES.get(word) ?? (cursor.isModern ? MODERN_CLAUSES.get(word) : undefined);
  if (rule !== undefined) {
    return rule(cursor);
  }
  const clause = findUpdatingClause(cursor);
  if (clause === undefined) {
    cursor.expected("a clause");
  }
  return clause;
}
