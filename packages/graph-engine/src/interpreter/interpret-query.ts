import { type BoundClause, type BoundPart, type BoundQuery } from "../binder/bound-query.ts";
import { isList } from "../values/value-kind.ts";
import { type Value } from "../values/value.ts";
import { evaluate } from "./evaluate.ts";
import { interpretMatch } from "./interpret-match.ts";
import { distinctRows, interpretProjection } from "./interpret-projection.ts";
import { type InterpreterContext, NotInterpretedError } from "./interpreter-context.ts";
import { type Row, valueOf, withValue } from "./row.ts";

/**
 * The rows of a reading query, clause after clause over all rows: no plan, no index, no early end.
 *
 * @param outer  the row a subquery runs in; empty for a statement
 * @throws NotInterpretedError for updates, procedures, files and shortest paths
 */
export function interpretQuery(query: BoundQuery, outer: Row, context: InterpreterContext): readonly Row[] {
  const rows = query.parts.flatMap((part) =>
    interpretPart(part, outer, context).map((row) =>
      query.columns.reduce(
        (each, column, index) => withValue(each, column, valueOf(row, part.columns[index] ?? column)),
        row,
      ),
    ),
  );
  return query.parts.length === 1 || query.unionAll ? rows : distinctRows(rows, query.columns, context);
}

function interpretPart({ clauses }: BoundPart, outer: Row, context: InterpreterContext): readonly Row[] {
  return clauses.reduce<readonly Row[]>((rows, clause) => interpretClause(clause, rows, outer, context), [outer]);
}

function interpretClause(
  clause: BoundClause,
  rows: readonly Row[],
  outer: Row,
  context: InterpreterContext,
): readonly Row[] {
  switch (clause.kind) {
    case "Match":
      return rows.flatMap((row) => interpretMatch(clause, row, context));
    case "Unwind":
      return rows.flatMap((row) =>
        elementsOf(evaluate(clause.list, row, context)).map((element) => withValue(row, clause.variable, element)),
      );
    case "Projection":
      return interpretProjection(clause, rows, outer, context);
    case "SubqueryCall":
      return rows.flatMap((row) => interpretSubqueryCall(clause, row, context));
    default:
      throw new NotInterpretedError(clause.kind);
  }
}

function interpretSubqueryCall(
  { query, optional }: BoundClause & { kind: "SubqueryCall" },
  row: Row,
  context: InterpreterContext,
): readonly Row[] {
  if (query.columns.length === 0) {
    throw new NotInterpretedError("a subquery for its effects");
  }
  const inner = interpretQuery(query, row, context);
  const rows = inner.map((each) =>
    query.columns.reduce((result, column) => withValue(result, column, valueOf(each, column)), row),
  );
  return rows.length === 0 && optional
    ? [query.columns.reduce((nulls, column) => withValue(nulls, column, null), row)]
    : rows;
}

function elementsOf(value: Value): readonly Value[] {
  return value === null ? [] : isList(value) ? value : [value];
}
