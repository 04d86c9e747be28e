import { type Match } from "@trefoil/cypher";
import { type BindContext, bindPredicate, valuePlace } from "./bind-context.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { bindPattern } from "./bind-pattern.ts";
import { type BoundMatch } from "./bound-query.ts";
import { conjunctsOf } from "./expression-tree.ts";
import { type Scope } from "./scope.ts";

/** MATCH and OPTIONAL MATCH; the names they bring are declared in `scope`. */
export function bindMatch(clause: Match, scope: Scope, context: BindContext): BoundMatch {
  const { pattern, predicates, introduces } = bindPattern(clause.pattern, {
    context,
    scope,
    optional: clause.optional,
    newNames: "allowed",
  });
  const where = clause.where === undefined ? [] : conjunctsOf(bindPredicate(clause.where, valuePlace(context, scope)));
  checkScanHints(clause, [...predicates, ...where], context);
  return {
    kind: "Match",
    optional: clause.optional,
    pattern,
    predicates: [...predicates, ...where],
    repeatable: clause.repeatableElements,
    introduces,
  };
}

/** `USING SCAN n:L` only says how to find what the pattern asks for. */
function checkScanHints(clause: Match, predicates: readonly BoundExpression[], context: BindContext): void {
  for (const hint of clause.hints) {
    if (hint.kind !== "UsingScan") {
      continue;
    }
    const asked = predicates.some(
      (predicate) =>
        predicate.kind === "HasLabels" &&
        predicate.labels.kind === "Name" &&
        predicate.labels.name === hint.label.name &&
        predicate.subject.kind === "VariableReference" &&
        predicate.subject.variable.name === hint.variable.name,
    );
    if (!asked) {
      throw context.errors.syntax(
        "Cannot use label scan hint in this context. Label scan hints require using a simple label test in WHERE (either directly or as part of a top-level AND). Note that the label must be specified on a non-optional node",
        hint.position,
        "InvalidArgumentType",
      );
    }
  }
}
