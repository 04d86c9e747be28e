import { type Operator } from "./operator.ts";
import { someOperator } from "./operator-tree.ts";

/**
 * Operators that ask the store for relationships that are there. Not among them are those that make some, or read what
 * another operator has found, nor procedures: they run statements of their own.
 */
const readers: ReadonlySet<Operator["kind"]> = new Set<Operator["kind"]>([
  "AllRelationshipsScan",
  "Expand",
  "ExpandIntersect",
  "CountExpand",
  "VariableLengthExpand",
  "ProjectEndpoints",
  "ShortestPath",
  // A node without relationships can be deleted.
  "Delete",
]);

/** Whether a plan asks for relationships that are there: then they must have been read (GraphStore.readRelationships). */
export function readsRelationships(plan: Operator): boolean {
  return someOperator(
    plan,
    (each) => readers.has(each.kind) || (each.kind === "EntityByIdSeek" && each.entity === "relationship"),
  );
}
