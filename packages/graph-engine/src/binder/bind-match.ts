import { type Match } from "@trefoil/cypher";
import { bindHints } from "./bind-hints.ts";
import { type BindContext, bindPredicate, valuePlace } from "./bind-context.ts";
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
  return {
    kind: "Match",
    optional: clause.optional,
    pattern,
    predicates: [...predicates, ...where],
    repeatable: clause.repeatableElements,
    introduces,
    hints: bindHints(clause, pattern, [...predicates, ...where], scope, context),
  };
}
