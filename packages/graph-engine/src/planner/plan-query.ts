import { type BoundClause, type BoundPart, type BoundQuery } from "../binder/bound-query.ts";
import { type Variable } from "../binder/variable.ts";
import { type Operator } from "../logical-plan/operator.ts";
import { variablesSetBy, inputsOf } from "../logical-plan/operator-tree.ts";
import { needsEagerAfter, needsEagerBefore, needsLegacyEagerAfter } from "./eagerness.ts";
import { inLegacyOrder } from "./legacy-update-order.ts";
import { lockGuards } from "./lock-guards.ts";
import { planMatch } from "./plan-match.ts";
import { planMerge } from "./plan-merge.ts";
import { type PlanContext } from "./plan-context.ts";
import { planProjection } from "./plan-projection.ts";
import { planStart } from "./plan-start.ts";

/**
 * The plan of a whole statement, before the optimizer: what its RETURN gives, or nothing.
 */
export function planStatement(query: BoundQuery, context: PlanContext): Operator {
  const plan = planQuery(query, new Set(), context);
  const source = query.columns.length > 0;
  return source
    ? { kind: "ProduceResults", source: plan, columns: query.columns }
    : { kind: "EmptyResult", source: plan };
}

/**
 * The plan of a query that starts from the outer row (an {@link Argument}).
 *
 * @param known  variables of the outer row
 */
export function planQuery(query: BoundQuery, known: ReadonlySet<Variable>, context: PlanContext): Operator {
  const [first] = query.parts;
  if (first !== undefined && query.parts.length === 1) {
    return planPart(first, known, context);
  }
  const parts = query.parts.map((part) => ({ plan: planPart(part, known, context), columns: part.columns }));
  const union: Operator = { kind: "Union", parts, columns: query.columns };
  return query.unionAll ? union : { kind: "Distinct", source: union, columns: query.columns };
}

function planPart(part: BoundPart, known: ReadonlySet<Variable>, context: PlanContext): Operator {
  const clauses = context.mode === "2.3" ? inLegacyOrder(part.clauses) : part.clauses;
  return planClauses(clauses, { kind: "Argument" }, known, context);
}

function planClauses(
  clauses: readonly BoundClause[],
  start: Operator,
  known: ReadonlySet<Variable>,
  context: PlanContext,
): Operator {
  const isLegacy = context.mode === "2.3";
  let plan = start;
  clauses.forEach((clause, index) => {
    if (needsEagerBefore(clause, plan)) {
      plan = { kind: "Eager", source: plan, reason: "reads before updates" };
    }
    plan = planClause(clause, plan, knownAfter(plan, known), context);
    // In 2.3 rows go on singly, but for DELETE: what comes after sees the updates of this row and those before it
    // (golden "writes").
    if (
      isLegacy
        ? needsLegacyEagerAfter(clause, plan, clauses.slice(index + 1))
        : needsEagerAfter(clause, plan, clauses.slice(index + 1))
    ) {
      plan = { kind: "Eager", source: plan, reason: "updates before reads" };
    }
  });
  return plan;
}

function planClause(
  clause: BoundClause,
  source: Operator,
  known: ReadonlySet<Variable>,
  context: PlanContext,
): Operator {
  switch (clause.kind) {
    case "Match":
      return planMatch(clause, source, known, context);
    case "Start":
      return planStart(clause, source);
    case "Unwind":
      return { kind: "Unwind", source, list: clause.list, variable: clause.variable };
    case "Projection":
      return planProjection(clause, source);
    case "Create":
      return {
        kind: "Create",
        source: clause.unwinds.reduce(
          (input: Operator, each): Operator => ({ kind: "Unwind", source: input, ...each }),
          source,
        ),
        pattern: clause.pattern,
      };
    case "Merge":
      return planMerge(clause, source, known, context);
    case "Set":
      return {
        kind: "SetProperties",
        source,
        items: clause.items,
        guards: lockGuards(
          source,
          clause.items.map((item) => item.subject),
        ),
      };
    case "Delete":
      return {
        kind: "Delete",
        source,
        expressions: clause.expressions,
        detach: clause.detach,
        guards: lockGuards(source, clause.expressions),
      };
    case "Foreach": {
      const inner = planClauses(clause.clauses, { kind: "Argument" }, new Set([...known, clause.variable]), context);
      return { kind: "Foreach", source, variable: clause.variable, list: clause.list, inner };
    }
    case "SubqueryCall":
      return planSubqueryCall(clause, source, known, context);
    case "ProcedureCall":
      return planProcedureCall(clause, source);
    case "LoadCsv":
      return { ...clause, source };
  }
}

function planSubqueryCall(
  clause: BoundClause & { kind: "SubqueryCall" },
  source: Operator,
  known: ReadonlySet<Variable>,
  context: PlanContext,
): Operator {
  const inner = planQuery(clause.query, known, context);
  const { columns } = clause.query;
  if (columns.length === 0) {
    return { kind: "Apply", source, inner, columns, forEffects: true };
  }
  return clause.optional
    ? { kind: "Optional", source, inner, introduces: columns }
    : { kind: "Apply", source, inner, columns, forEffects: false };
}

function planProcedureCall(clause: BoundClause & { kind: "ProcedureCall" }, source: Operator): Operator {
  const call = (input: Operator): Operator => {
    const { procedure, yields, predicates } = clause;
    const plan: Operator = { kind: "ProcedureCall", source: input, procedure, arguments: clause.arguments, yields };
    return predicates.length === 0 ? plan : { kind: "Filter", source: plan, predicates };
  };
  return clause.optional
    ? {
        kind: "Optional",
        source,
        inner: call({ kind: "Argument" }),
        introduces: clause.yields.map((item) => item.variable),
      }
    : call(source);
}

/** Everything that has a value behind `plan`; names out of scope do no harm, since nothing mentions them. */
function knownAfter(plan: Operator, outer: ReadonlySet<Variable>): ReadonlySet<Variable> {
  const known = new Set(outer);
  const collect = (operator: Operator): void => {
    variablesSetBy(operator).forEach((variable) => known.add(variable));
    if (operator.kind === "Union") {
      return;
    }
    const [source] = inputsOf(operator);
    if (source !== undefined) {
      collect(source);
    }
  };
  collect(plan);
  return known;
}
