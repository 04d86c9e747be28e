import { getHeapStatistics } from "node:v8";
import { QueryError } from "@trefoil/cypher";
import { type ListValue, type Value } from "./value.ts";

/** Elements that may be copied between two pauses of a statement: an element takes eight bytes, and copies are many. */
const MOST_ELEMENTS = getHeapStatistics().heap_size_limit / 32;

/** Since whoever runs now began to run. Statements take turns on one thread, so one number does for all. */
let copiedElements = 0;

/**
 * `left` followed by `right`, a new list.
 *
 * Generated code pauses after so many turns of its loops, whatever a turn costs; a loop that makes a list longer and
 * longer would copy more than the heap can hold before its first pause.
 *
 * @throws  QueryError  TransientError.General.OutOfMemoryError
 */
export function joinedLists(left: readonly Value[], right: readonly Value[]): ListValue {
  copiedElements += left.length + right.length;
  if (copiedElements > MOST_ELEMENTS) {
    throw new QueryError(
      "TransientError.General.OutOfMemoryError",
      `The statement puts lists of more than ${Math.round(MOST_ELEMENTS)} elements together at once.`,
      { phase: "runtime" },
    );
  }
  return [...left, ...right];
}

/** A statement begins or goes on after a pause. */
export function beginSlice(): void {
  copiedElements = 0;
}
