import { type Hint, type Match, QueryError, type UsingIndex } from "@trefoil/cypher";
import { type BindContext, getVariable, valuePlace } from "./bind-context.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { type BoundHint, type BoundPattern } from "./bound-query.ts";
import { type Scope } from "./scope.ts";
import { type Variable } from "./variable.ts";

/**
 * Hints say how to find what a pattern asks for anyway; one that does not fit the pattern is an error, one whose index
 * does not exist is left out and told about by EXPLAIN. Joins are planned without being asked.
 *
 * @source graph-measured.md; the texts are those of the 2.3 server
 */
export function bindHints(
  clause: Match,
  pattern: BoundPattern,
  predicates: readonly BoundExpression[],
  scope: Scope,
  context: BindContext,
): readonly BoundHint[] {
  const hinted = new Map<string, Hint>();
  const bound: BoundHint[] = [];
  for (const hint of clause.hints) {
    if (hint.kind === "UsingJoin") {
      checkJoin(hint, pattern, scope, context);
      continue;
    }
    const { name, position } = hint.variable;
    const variable = getVariable(valuePlace(context, scope), name, position);
    const former = hinted.get(name);
    if (former !== undefined && former.kind !== "UsingJoin") {
      throw context.errors.syntax(
        "Multiple hints for same identifier are not supported",
        former.variable.position,
        "InvalidArgumentType",
      );
    }
    hinted.set(name, hint);
    bound.push(bindHint(hint, variable, predicates, context));
  }
  const [first] = clause.hints;
  if (context.hasStart && first !== undefined) {
    throw context.errors.syntax("Cannot use index hints with start clause", first.position, "InvalidClauseComposition");
  }
  return bound;
}

function bindHint(
  hint: Exclude<Hint, { readonly kind: "UsingJoin" }>,
  variable: Variable,
  predicates: readonly BoundExpression[],
  context: BindContext,
): BoundHint {
  const label = hint.label.name;
  const isLabelled = predicates.some((predicate) => isLabelTest(predicate, variable, label));
  if (hint.kind === "UsingScan") {
    if (!isLabelled) {
      throw context.errors.syntax(
        "Cannot use label scan hint in this context. Label scan hints require using a simple label test in WHERE (either directly or as part of a top-level AND). Note that the label must be specified on a non-optional node",
        hint.position,
        "InvalidArgumentType",
      );
    }
    return { variable, label, properties: undefined };
  }
  const properties = hint.properties.map((property) => property.name);
  checkIndexHint(hint, properties, variable, isLabelled, predicates, context);
  return { variable, label, properties };
}

function checkIndexHint(
  hint: UsingIndex,
  properties: readonly string[],
  variable: Variable,
  isLabelled: boolean,
  predicates: readonly BoundExpression[],
  context: BindContext,
): void {
  const uses = properties.map((property) => {
    const found = predicates.map((predicate) => useOf(predicate, variable, property));
    return found.includes("lookup") ? "lookup" : found.includes("text search") ? "text search" : undefined;
  });
  if (!isLabelled || uses.includes(undefined)) {
    throw context.errors.syntax(
      "Cannot use index hint in this context. Index hints are only supported for the following predicates in WHERE (either directly or as part of a top-level AND): equality comparison, inequality (range) comparison, STARTS WITH, IN condition or checking property existence. The comparison cannot be performed between two property values. Note that the label and property comparison must be specified on a non-optional node",
      hint.position,
      "InvalidArgumentType",
    );
  }
  if (context.mode === "2.3" && uses.includes("text search")) {
    throw new QueryError(
      "ClientError.Schema.NoSuchIndex",
      "No useful predicate was found for your index hint. Make sure the property expression is alone either side of the equality sign.\n" +
        `Label: \`${hint.label.name}\`\nProperty name: \`${properties.join(", ")}\``,
      { phase: "compile time", position: hint.position },
    );
  }
}

/** 2.3 takes CONTAINS and ENDS WITH for a use until it plans them. */
function useOf(predicate: BoundExpression, variable: Variable, property: string): "lookup" | "text search" | undefined {
  if (predicate.kind === "IsNull") {
    return predicate.negated && isProperty(predicate.operand, variable, property) ? "lookup" : undefined;
  }
  if (predicate.kind !== "Binary") {
    return undefined;
  }
  const { operator, left, right } = predicate;
  switch (operator) {
    case "=":
    case "<":
    case "<=":
    case ">":
    case ">=": {
      const isOneSided = (left.kind === "Property") !== (right.kind === "Property");
      return isOneSided && [left, right].some((side) => isProperty(side, variable, property)) ? "lookup" : undefined;
    }
    case "IN":
    case "STARTS WITH":
      return isProperty(left, variable, property) ? "lookup" : undefined;
    case "CONTAINS":
    case "ENDS WITH":
      return isProperty(left, variable, property) ? "text search" : undefined;
    default:
      return undefined;
  }
}

function checkJoin(
  hint: Hint & { kind: "UsingJoin" },
  pattern: BoundPattern,
  scope: Scope,
  context: BindContext,
): void {
  hint.variables.forEach(({ name, position }) => getVariable(valuePlace(context, scope), name, position));
  if (pattern.relationships.length === 0 && pattern.nodes.length === 1) {
    throw context.errors.syntax("Cannot use join hint for single node pattern.", hint.position, "InvalidArgumentType");
  }
}

function isLabelTest(predicate: BoundExpression, variable: Variable, label: string): boolean {
  return (
    predicate.kind === "HasLabels" &&
    predicate.labels.kind === "Name" &&
    predicate.labels.name === label &&
    predicate.subject.kind === "VariableReference" &&
    predicate.subject.variable === variable
  );
}

function isProperty(expression: BoundExpression, variable: Variable, property: string): boolean {
  return (
    expression.kind === "Property" &&
    expression.key === property &&
    expression.subject.kind === "VariableReference" &&
    expression.subject.variable === variable
  );
}
