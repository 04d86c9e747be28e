import { type Mode } from "@trefoil/cypher";
import { type GraphAccess } from "../values/graph-access.ts";
import { compareForOrder } from "../values/ordering.ts";
import { type Value } from "../values/value.ts";

/**
 * Row numbers in the order of their keys; equal rows stay in the order they came.
 *
 * @param keys        per sort key a column of values
 * @param descending  per sort key
 */
export function sortedOrder(
  size: number,
  keys: readonly (readonly Value[])[],
  descending: readonly boolean[],
  mode: Mode,
  access: GraphAccess,
): Uint32Array {
  const order = Uint32Array.from({ length: size }, (_unused, index) => index);
  return order.sort((left, right) => compareRows(left, right, keys, descending, mode, access) || left - right);
}

/** As {@link sortedOrder}, but only the first `limit` rows: a heap of that size with the worst kept row on top. */
export function topOrder(
  size: number,
  limit: number,
  keys: readonly (readonly Value[])[],
  descending: readonly boolean[],
  mode: Mode,
  access: GraphAccess,
): Uint32Array {
  if (limit >= size) {
    return sortedOrder(size, keys, descending, mode, access);
  }
  const heap: number[] = [];
  const isBefore = (left: number, right: number): boolean =>
    (compareRows(left, right, keys, descending, mode, access) || left - right) < 0;
  for (let row = 0; row < size && limit > 0; row += 1) {
    if (heap.length < limit) {
      heap.push(row);
      siftUp(heap, isBefore);
    } else if (isBefore(row, heap[0] ?? 0)) {
      heap[0] = row;
      siftDown(heap, isBefore);
    }
  }
  return Uint32Array.from(heap.toSorted((left, right) => (isBefore(left, right) ? -1 : 1)));
}

function compareRows(
  left: number,
  right: number,
  keys: readonly (readonly Value[])[],
  descending: readonly boolean[],
  mode: Mode,
  access: GraphAccess,
): number {
  for (let key = 0; key < keys.length; key += 1) {
    const column = keys[key];
    const result = compareLaterFirst(left, right, column ?? [], mode, access);
    if (result !== 0) {
      return descending[key] === true ? -result : result;
    }
  }
  return 0;
}

/** 2.3's refusals name the later row first. */
function compareLaterFirst(
  left: number,
  right: number,
  column: readonly Value[],
  mode: Mode,
  access: GraphAccess,
): number {
  const a = column[left] ?? null;
  const b = column[right] ?? null;
  return mode === "2.3" && left < right
    ? -compareForOrder(b, a, mode, "ORDER BY", access)
    : compareForOrder(a, b, mode, "ORDER BY", access);
}

function siftUp(heap: number[], isBefore: (left: number, right: number) => boolean): void {
  let child = heap.length - 1;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (!isBefore(heap[parent] ?? 0, heap[child] ?? 0)) {
      return;
    }
    swap(heap, parent, child);
    child = parent;
  }
}

function siftDown(heap: number[], isBefore: (left: number, right: number) => boolean): void {
  let parent = 0;
  for (;;) {
    let child = 2 * parent + 1;
    if (child >= heap.length) {
      return;
    }
    if (child + 1 < heap.length && isBefore(heap[child] ?? 0, heap[child + 1] ?? 0)) {
      child += 1;
    }
    if (!isBefore(heap[parent] ?? 0, heap[child] ?? 0)) {
      return;
    }
    swap(heap, parent, child);
    parent = child;
  }
}

function swap(heap: number[], left: number, right: number): void {
  const kept = heap[left] ?? 0;
  heap[left] = heap[right] ?? 0;
  heap[right] = kept;
}
