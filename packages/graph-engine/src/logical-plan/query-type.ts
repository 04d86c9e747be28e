import { type QueryType } from "../runtime/statement-result.ts";
import { type Operator } from "./operator.ts";
import { someOperator } from "./operator-tree.ts";

const updating: ReadonlySet<Operator["kind"]> = new Set<Operator["kind"]>([
  "Create",
  "Merge",
  "SetProperties",
  "Delete",
  "Foreach",
]);

/** What a plan does: read, write, or both. */
export function queryTypeOf(plan: Operator): QueryType {
  if (!someOperator(plan, (each) => updating.has(each.kind))) {
    return "r";
  }
  return plan.kind === "ProduceResults" ? "rw" : "w";
}
