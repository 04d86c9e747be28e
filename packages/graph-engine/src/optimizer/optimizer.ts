import { type Operator } from "../logical-plan/operator.ts";
import { mapInputs } from "../logical-plan/operator-tree.ts";
import { countExpand } from "./count-expand.ts";
import { mergeFilters } from "./merge-filters.ts";
import { pruneWalks } from "./prune-walks.ts";

/** A rewriting of one operator whose inputs are rewritten already; the same object when there is nothing to do. */
export interface Rule {
  readonly name: string;
  readonly rewrite: (operator: Operator) => Operator;
}

/** All there are, in the order in which they are applied, each over the whole plan. */
export const allRules: readonly Rule[] = [mergeFilters, pruneWalks, countExpand];

/** The plan with rules applied. */
export function optimize(plan: Operator, rules: readonly Rule[]): Operator {
  return rules.reduce((current, rule) => rewriteAll(current, rule), plan);
}

function rewriteAll(operator: Operator, rule: Rule): Operator {
  return rule.rewrite(mapInputs(operator, (input) => rewriteAll(input, rule)));
}
