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
