import { type Operator } from "./operator.ts";
import { someOperator } from "./operator-tree.ts";

/** `r` read only, `rw` reads and writes, `w` writes only, `s` schema: the letters of Bolt, known to every client. */
export type QueryType = "r" | "rw" | "w" | "s";

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
