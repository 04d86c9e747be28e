import { type BoundAggregate, type BoundExpression } from "../binder/bound-expression.ts";
import { type Assignment, type BoundProjection } from "../binder/bound-query.ts";
import { type Variable } from "../binder/variable.ts";
import { type Operator } from "../logical-plan/operator.ts";

/** WITH or RETURN: group, compute, make distinct, sort, cut, filter. */
export function planProjection(clause: BoundProjection, source: Operator): Operator {
  let plan = source;
  if (clause.aggregation !== undefined) {
    plan = {
      kind: "Aggregation",
      source: plan,
      keys: clause.aggregation.keys,
      aggregates: clause.aggregation.aggregates.map(({ variable, expression }) => ({
        variable,
        expression: asAggregate(expression, variable),
      })),
    };
  }
  const items = clause.items.filter((item) => !isIdentity(item));
  if (items.length > 0) {
    plan = { kind: "Projection", source: plan, items };
  }
  if (clause.distinct) {
    plan = { kind: "Distinct", source: plan, columns: clause.columns };
  }
  plan = planOrder(clause, plan);
  if (clause.skip !== undefined) {
    plan = { kind: "Skip", source: plan, count: clause.skip };
  }
  if (clause.limit !== undefined) {
    plan = { kind: "Limit", source: plan, count: clause.limit };
  }
  return clause.predicates.length === 0 ? plan : { kind: "Filter", source: plan, predicates: clause.predicates };
}

function planOrder(clause: BoundProjection, source: Operator): Operator {
  if (clause.orderBy.length === 0) {
    return source;
  }
  if (clause.limit === undefined) {
    return { kind: "Sort", source, keys: clause.orderBy };
  }
  const counts = clause.skip === undefined ? [clause.limit] : [clause.limit, clause.skip];
  return { kind: "Top", source, keys: clause.orderBy, counts };
}

function isIdentity({ variable, expression }: Assignment): boolean {
  return expression.kind === "VariableReference" && expression.variable === variable;
}

function asAggregate(expression: BoundExpression, variable: Variable): BoundAggregate {
  if (expression.kind !== "Aggregate") {
    throw new TypeError(`the binder made ${variable.name} an aggregate`);
  }
  return expression;
}
