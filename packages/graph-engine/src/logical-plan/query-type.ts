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
  const writes = (each: Operator): boolean =>
    updating.has(each.kind) || (each.kind === "ProcedureCall" && each.procedure.mode === "write");
  if (!someOperator(plan, writes)) {
    return "r";
  }
  return plan.kind === "ProduceResults" ? "rw" : "w";
}
