import { type Operator } from "../logical-plan/operator.ts";
import { type Rule } from "./optimizer.ts";

/**
 * Two filters in a row are one.
 *
 *     Filter(b) ← Filter(a) ← x    →    Filter(a, b) ← x
 */
export const mergeFilters: Rule = {
  name: "merge filters",
  rewrite: (operator): Operator =>
    operator.kind === "Filter" && operator.source.kind === "Filter"
      ? { ...operator.source, predicates: [...operator.source.predicates, ...operator.predicates] }
      : operator,
};
