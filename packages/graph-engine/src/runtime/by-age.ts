import { type ExpandBuffer } from "@trefoil/graph-store";

/** Puts a node's relationships, the first `count` of the buffer, in the order in which they were made: that of their ids. */
export function sortByAge(buffer: ExpandBuffer, count: number): void {
  const cut = sortedUntil(buffer.relationships, 0, count);
  if (cut === count) {
    return;
  }
  if (sortedUntil(buffer.relationships, cut, count) === count) {
    merge(buffer, cut, count);
  } else {
    sort(buffer, count);
  }
}

/** Where the ids from `from` on stop to rise. */
function sortedUntil(ids: Int32Array, from: number, count: number): number {
  let place = from + 1;
  while (place < count && (ids[place - 1] as number) <= (ids[place] as number)) {
    place += 1;
  }
  return Math.min(place, count);
}

/** Those up to `cut` and those after it, as the two directions of one type are, each sorted already. */
function merge({ relationships, neighbours }: ExpandBuffer, cut: number, count: number): void {
  const formerRelationships = relationships.slice(0, cut);
  const formerNeighbours = neighbours.slice(0, cut);
  let [left, right] = [0, cut];
  while (left < cut) {
    // Never beyond `right`: as many places are filled as elements are taken.
    const place = left + right - cut;
    const former = formerRelationships[left] as number;
    if (right < count && (relationships[right] as number) < former) {
      relationships[place] = relationships[right] as number;
      neighbours[place] = neighbours[right] as number;
      right += 1;
    } else {
      relationships[place] = former;
      neighbours[place] = formerNeighbours[left] as number;
      left += 1;
    }
  }
}

function sort({ relationships, neighbours }: ExpandBuffer, count: number): void {
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
