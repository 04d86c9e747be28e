import { type BoundExpression } from "../binder/bound-expression.ts";
import { someExpression } from "../binder/expression-tree.ts";
import { freeVariables } from "../binder/free-variables.ts";
import { integerType } from "../binder/static-type.ts";
import { Variable } from "../binder/variable.ts";
import { type Aggregation, type CountExpand, type Expand, type Operator } from "../logical-plan/operator.ts";
import { type Rule } from "./optimizer.ts";

/**
 * What is only counted is not enumerated: the last expand below counts becomes one number per row.
 *
 *     Aggregation(count(*)) ← Filter(on b) ← Expand(a → b) ← x    →    Aggregation(count(*), weight) ← CountExpand(a → b) ← x
 */
export const countExpand: Rule = {
  name: "count the last expand",
  rewrite: (operator): Operator => (operator.kind === "Aggregation" ? withWeight(operator) : operator),
};

function withWeight(aggregation: Aggregation): Operator {
  const { source } = aggregation;
  const [expand, predicates] =
    source.kind === "Filter" ? [source.source, source.predicates] : ([source, []] as [Operator, BoundExpression[]]);
  if (expand.kind !== "Expand" || expand.into || aggregation.weight !== undefined) {
    return aggregation;
  }
  const inner = new Set([expand.to, expand.relationship]);
  const aggregates = aggregation.aggregates.map(({ variable, expression }) => {
    const [argument] = expression.arguments;
    // Within these rows both are there: to count them is to count rows.
    const isInner = argument?.kind === "VariableReference" && inner.has(argument.variable);
    return { variable, expression: isInner && !expression.distinct ? { ...expression, arguments: [] } : expression };
  });
  const canCount =
    aggregates.every(({ expression }) => expression.name === "count" && !reads(expression, inner)) &&
    aggregation.keys.every(({ expression }) => !reads(expression, inner));
  const counted = canCount ? countedBy(expand, predicates) : undefined;
  return counted === undefined ? aggregation : { ...aggregation, aggregates, source: counted, weight: counted.count };
}

function countedBy(expand: Expand, predicates: readonly BoundExpression[]): CountExpand | undefined {
  const inner = new Set([expand.to, expand.relationship]);
  const own = predicates.filter((predicate) => predicate.kind !== "DistinctRelationships");
  if (!own.every((predicate) => isOwn(predicate, inner))) {
    return undefined;
  }
  const meetings: CountExpand["meetings"][number][] = [];
  for (const predicate of predicates) {
    if (predicate.kind === "DistinctRelationships") {
      const other = predicate.left === expand.relationship ? predicate.right : predicate.left;
      const start = startBeside(expand, other);
      if (start === undefined) {
        return undefined;
      }
      meetings.push({ relationship: other, node: start });
    }
  }
  const { kind: _kind, into: _into, ...rest } = expand;
  return {
    ...rest,
    kind: "CountExpand",
    predicates: own,
    meetings,
    repeats: own.length > 0 && isRepeated(expand.source),
    count: new Variable("  WAYS", integerType, false),
  };
}

/**
 * The node at which a relationship met before would be met again: where it begins, as the expand looks at it.
 * `undefined` when that cannot be told from the plan.
 */
function startBeside(expand: Expand, relationship: Variable): Variable | undefined {
  const other = expandOf(relationship, expand.source);
  const alike =
    other !== undefined &&
    expand.direction !== "both" &&
    other.direction !== "both" &&
    expand.types.length === 1 &&
    other.types.length === 1 &&
    expand.types[0] === other.types[0];
  if (!alike) {
    return undefined;
  }
  return other.direction === expand.direction ? other.from : other.to;
}

function expandOf(relationship: Variable, plan: Operator): Expand | undefined {
  let operator = plan;
  while (operator.kind === "Expand" || operator.kind === "Filter") {
    if (operator.kind === "Expand" && operator.relationship === relationship) {
      return operator;
    }
    operator = operator.source;
  }
  return undefined;
}

/** Whether the expand starts from the same node again and again: behind a scan and another expand. */
function isRepeated(source: Operator): boolean {
  let expands = 0;
  let operator = source;
  while (operator.kind === "Expand" || operator.kind === "Filter") {
    expands += operator.kind === "Expand" ? 1 : 0;
    operator = operator.source;
  }
  return expands > 0 && ["AllNodesScan", "NodeByLabelScan", "NodeIndexSeek"].includes(operator.kind);
}

/** Judged by what the expand finds alone, and the same way each time. */
function isOwn(predicate: BoundExpression, inner: ReadonlySet<Variable>): boolean {
  const isVolatile = someExpression(
    predicate,
    (each) => each.kind === "Subquery" || (each.kind === "Call" && !each.function.deterministic),
  );
  return !isVolatile && [...freeVariables(predicate)].every((variable) => inner.has(variable));
}

function reads(expression: BoundExpression, variables: ReadonlySet<Variable>): boolean {
  return [...freeVariables(expression)].some((variable) => variables.has(variable));
}
