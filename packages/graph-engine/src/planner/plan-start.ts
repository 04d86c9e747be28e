import { type BoundStart } from "../binder/bound-query.ts";
import { type Operator } from "../logical-plan/operator.ts";

/** START: the cartesian product of its items. */
export function planStart(clause: BoundStart, source: Operator): Operator {
  let plan = source;
  for (const { variable, entity, ids } of clause.items) {
    if (ids !== undefined) {
      plan = { kind: "EntityByIdSeek", source: plan, entity, variable, ids, strict: true };
    } else if (entity === "node") {
      plan = { kind: "AllNodesScan", source: plan, node: variable };
    } else {
      plan = { kind: "AllRelationshipsScan", source: plan, relationship: variable };
    }
  }
  return clause.predicates.length === 0 ? plan : { kind: "Filter", source: plan, predicates: clause.predicates };
}
