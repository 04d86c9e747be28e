import { type BoundExpression } from "../binder/bound-expression.ts";
import { freeVariables } from "../binder/free-variables.ts";
import { booleanType } from "../binder/static-type.ts";
import { type Variable } from "../binder/variable.ts";
import { type LockGuard, type Operator } from "../logical-plan/operator.ts";

/**
 * What was asked of each entity that is about to be written. When its lock had to be waited for, another transaction
 * may have changed it, so this is judged again on its newest values, and the row drops out if it no longer holds
 * (rulings, Graph 15). Only predicates about the entity alone: the rest of the row is as the statement saw it.
 */
export function lockGuards(source: Operator, expressions: readonly BoundExpression[]): readonly LockGuard[] {
  const variables = new Set<Variable>();
  for (const expression of expressions) {
    if (expression.kind === "VariableReference" && expression.variable.isEntity && !expression.variable.nullable) {
      variables.add(expression.variable);
    }
  }
  const asked = [...predicatesAbove(source)];
  return [...variables].map((variable) => ({
    variable,
    predicates: asked.filter((predicate) => {
      const free = freeVariables(predicate);
      return free.size === 1 && free.has(variable);
    }),
  }));
}

/** The predicates every row has passed, as far as rows can be followed one by one. */
function* predicatesAbove(operator: Operator): Generator<BoundExpression> {
  switch (operator.kind) {
    case "Filter":
      yield* operator.predicates;
      yield* predicatesAbove(operator.source);
      break;
    case "NodeByLabelScan": {
      const { node, label } = operator;
      const subject: BoundExpression = { kind: "VariableReference", type: node.type, variable: node };
      yield { kind: "HasLabels", type: booleanType, subject, labels: { kind: "Name", name: label } };
      yield* predicatesAbove(operator.source);
      break;
    }
    case "Join":
      yield* predicatesAbove(operator.inner);
      yield* predicatesAbove(operator.source);
      break;
    case "NodeIndexSeek":
      yield* operator.asked;
      yield* predicatesAbove(operator.source);
      break;
    case "AllNodesScan":
    case "AllRelationshipsScan":
    case "EntityByIdSeek":
    case "Expand":
    case "ExpandIntersect":
    case "VariableLengthExpand":
    case "ProjectEndpoints":
    case "Projection":
    case "Unwind":
    case "Eager":
    case "Sort":
    case "Top":
    case "Limit":
    case "Skip":
    case "Optional":
      yield* predicatesAbove(operator.source);
      break;
    default:
      // Updates in between have changed what was asked for; groups are no rows of the pattern.
      break;
  }
}
