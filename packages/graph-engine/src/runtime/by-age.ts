import { type ExpandBuffer } from "@trefoil/graph-store";

/** Puts a node's relationships, the first `count` of the buffer, in the order in which they were made: that of their ids. */
export function sortByAge({ relationships, neighbours }: ExpandBuffer, count: number): void {
  if (isSorted(relationships, count)) {
    return;
  }
  // Id and place in one double, which is exact up to 2 ** 53: sorted without calls.
  const keys = new Float64Array(count);
  for (let place = 0; place < count; place += 1) {
    keys[place] = (relationships[place] as number) * count + place;
  }
  keys.sort();
  const former = neighbours.slice(0, count);
  for (let place = 0; place < count; place += 1) {
    const key = keys[place] as number;
    const before = key % count;
    relationships[place] = (key - before) / count;
    neighbours[place] = former[before] as number;
  }
}

function isSorted(ids: Int32Array, count: number): boolean {
  for (let place = 1; place < count; place += 1) {
    if ((ids[place - 1] as number) > (ids[place] as number)) {
      return false;
    }
  }
  return true;
}
