import { type BoundExpression } from "../binder/bound-expression.ts";
import { type Assignment, type BoundProjection } from "../binder/bound-query.ts";
import { createAggregate } from "../functions/aggregates/aggregate-functions.ts";
import { expressionText } from "../logical-plan/expression-text.ts";
import { rowCount } from "../runtime/row-count.ts";
import { equivalenceKey, equivalenceKeyOfRow } from "../values/equivalence.ts";
import { compareForOrder } from "../values/ordering.ts";
import { type Value } from "../values/value.ts";
import { evaluate, holds } from "./evaluate.ts";
import { type InterpreterContext, NotInterpretedError } from "./interpreter-context.ts";
import { type Row, valueOf, withValue } from "./row.ts";

/** WITH or RETURN, in the order it says: group, compute, make distinct, sort, cut, filter, forget the rest. */
export function interpretProjection(
  clause: BoundProjection,
  rows: readonly Row[],
  outer: Row,
  context: InterpreterContext,
): readonly Row[] {
  const grouped = clause.aggregation === undefined ? rows : group(clause.aggregation, rows, outer, context);
  const computed = grouped.map((row) =>
    clause.items.reduce(
      (each, { variable, expression }) => withValue(each, variable, evaluate(expression, row, context)),
      row,
    ),
  );
  const distinct = clause.distinct ? distinctRows(computed, clause.columns, context) : computed;
  const sorted = sort(clause, distinct, context);
  const skip = count(clause.skip, "SKIP", outer, context) ?? 0;
  const limit = count(clause.limit, "LIMIT", outer, context) ?? sorted.length;
  return sorted
    .slice(skip, skip + limit)
    .filter((row) => clause.predicates.every((predicate) => holds(predicate, row, context)))
    .map((row) => new Map([...outer, ...clause.columns.map((column) => [column, valueOf(row, column)] as const)]));
}

/** One row for each combination of the columns, the first. */
export function distinctRows(
  rows: readonly Row[],
  columns: BoundProjection["columns"],
  { mode }: InterpreterContext,
): readonly Row[] {
  const first = new Map(
    rows.toReversed().map((row) => [
      equivalenceKeyOfRow(
        columns.map((column) => valueOf(row, column)),
        mode,
      ),
      row,
    ]),
  );
  return rows.filter((row) => [...first.values()].includes(row));
}

function group(
  { keys, aggregates }: NonNullable<BoundProjection["aggregation"]>,
  rows: readonly Row[],
  outer: Row,
  context: InterpreterContext,
): readonly Row[] {
  const groups = new Map<unknown, { readonly keys: readonly Value[]; readonly rows: Row[] }>();
  for (const row of rows) {
    const values = keys.map(({ expression }) => evaluate(expression, row, context));
    const key = equivalenceKeyOfRow(values, context.mode);
    const known = groups.get(key) ?? { keys: values, rows: [] };
    known.rows.push(row);
    groups.set(key, known);
  }
  if (keys.length === 0 && groups.size === 0) {
    groups.set("", { keys: [], rows: [] });
  }
  return [...groups.values()].map(
    (each) =>
      new Map([
        ...outer,
        ...keys.map(({ variable }, index) => [variable, each.keys[index] ?? null] as const),
        ...aggregates.map((aggregate) => [aggregate.variable, aggregateOf(aggregate, each.rows, context)] as const),
      ]),
  );
}

function aggregateOf({ expression }: Assignment, rows: readonly Row[], context: InterpreterContext): Value {
  if (expression.kind !== "Aggregate") {
    throw new NotInterpretedError(`an aggregate of kind ${expression.kind}`);
  }
  const accumulator = createAggregate(
    expression.name,
    context.mode,
    expression.arguments.slice(0, 1).map(expressionText).join(""),
  );
  const seen = new Set<unknown>();
  for (const row of rows) {
    // count(*) counts rows: any value will do.
    const [value = true, second] = expression.arguments.map((argument) => evaluate(argument, row, context));
    const key = equivalenceKey(value, context.mode);
    if (!expression.distinct || !seen.has(key)) {
      seen.add(key);
      accumulator.add(value, second);
    }
  }
  return accumulator.result();
}

function sort({ orderBy }: BoundProjection, rows: readonly Row[], context: InterpreterContext): readonly Row[] {
  const keyed = rows.map((row) => ({ row, keys: orderBy.map(({ expression }) => evaluate(expression, row, context)) }));
  return keyed
    .toSorted((left, right) => {
      for (const [index, { descending }] of orderBy.entries()) {
        const order = compareForOrder(
          left.keys[index] ?? null,
          right.keys[index] ?? null,
          context.mode,
          "ORDER BY",
          context.functions,
        );
        if (order !== 0) {
          return descending ? -order : order;
        }
      }
      return 0;
    })
    .map(({ row }) => row);
}

function count(
  expression: BoundExpression | undefined,
  word: string,
  outer: Row,
  context: InterpreterContext,
): number | undefined {
  return expression === undefined ? undefined : rowCount(evaluate(expression, outer, context), word, context.mode);
}
