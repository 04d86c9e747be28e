import { type Direction, type ReadView } from "@trefoil/graph-store";
import { RelationshipValue, type Value } from "../values/value.ts";
import { isList } from "../values/value-kind.ts";

/**
 * The ends of a walk that is given by its relationships, as pairs `[from, to, from, to, …]`: none when they don't join
 * or go the wrong way, two when an undirected one can be read both ways.
 */
export function endpointsOf(
  view: ReadView,
  list: Value,
  direction: Direction,
  types: readonly number[],
  minimum: number,
  maximum: number,
): readonly number[] {
  if (!isList(list) || list.length < minimum || (maximum >= 0 && list.length > maximum)) {
    return [];
  }
  const ids: number[] = [];
  for (const each of list) {
    if (!(each instanceof RelationshipValue) || (types.length > 0 && !types.includes(view.typeOf(each.id)))) {
      return [];
    }
    ids.push(each.id);
  }
  const [first] = ids;
  if (first === undefined) {
    return [];
  }
  const start = view.startOf(first);
  const end = view.endOf(first);
  const starts = direction === "out" ? [start] : direction === "in" ? [end] : start === end ? [start] : [start, end];
  return starts.flatMap((from) => {
    const to = follow(view, from, ids, direction);
    return to < 0 ? [] : [from, to];
  });
}

function follow(view: ReadView, from: number, relationships: readonly number[], direction: Direction): number {
  let node = from;
  for (const relationship of relationships) {
    const start = view.startOf(relationship);
    const end = view.endOf(relationship);
    if (start === node && direction !== "in") {
      node = end;
    } else if (end === node && direction !== "out") {
      node = start;
    } else {
      return -1;
    }
  }
  return node;
}
