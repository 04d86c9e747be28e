import { type ReadView } from "@trefoil/graph-store";
import { PathValue, RelationshipValue, type Value } from "../values/value.ts";
import { isList } from "../values/value-kind.ts";

/** A path of known nodes and relationships, one more node than relationships. */
export function newPath(nodes: readonly number[], relationships: readonly number[]): PathValue {
  return new PathValue(nodes, relationships);
}

/**
 * A path from `start` along single relationships (ids) and lists of them; the nodes between are their other ends.
 * null when a step is.
 */
export function pathAlong(view: ReadView, start: number, steps: readonly (number | Value)[]): PathValue | null {
  if (start < 0) {
    return null;
  }
  const nodes = [start];
  const relationships: number[] = [];
  let node = start;
  const follow = (relationship: number): void => {
    const from = view.startOf(relationship);
    node = from === node ? view.endOf(relationship) : from;
    nodes.push(node);
    relationships.push(relationship);
  };
  for (const step of steps) {
    if (typeof step === "number") {
      if (step < 0) {
        return null;
      }
      follow(step);
    } else if (isList(step)) {
      for (const relationship of step) {
        if (relationship instanceof RelationshipValue) {
          follow(relationship.id);
        }
      }
    } else {
      return null;
    }
  }
  return new PathValue(nodes, relationships);
}

/** Whether two relationships, or lists of them, have none in common. */
export function areDistinct(left: number | Value, right: number | Value): boolean {
  if (typeof left === "number") {
    return typeof right === "number" ? left !== right : !contains(right, left);
  }
  if (typeof right === "number") {
    return !contains(left, right);
  }
  return !(isList(left) && left.some((each) => each instanceof RelationshipValue && contains(right, each.id)));
}

function contains(list: Value, relationship: number): boolean {
  return isList(list) && list.some((each) => each instanceof RelationshipValue && each.id === relationship);
}
