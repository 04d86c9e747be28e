import { type Adjacency } from "../adjacency/adjacency.ts";
import { type RelationshipTable } from "./relationship-table.ts";

/** The parts of a base whose arrays tell each other. */
export interface DerivedParts {
  readonly relationships: RelationshipTable;
  readonly outgoing: Adjacency;
  readonly incoming: Adjacency;
}

/**
 * Fills what a checkpoint leaves out (decisions/0177): types and starts of relationships, and the neighbours in lists.
 * Outgoing lists know which relationships start where, the table knows where they end.
 */
export function fillDerivedArrays({ relationships, outgoing, incoming }: DerivedParts): void {
  const { types, starts, ends } = relationships;
  for (const [type, list] of outgoing.lists()) {
    const { relationships: ids, neighbours } = list;
    list.forEachRun((node, from, to) => {
      for (let place = from; place < to; place++) {
        const id = ids[place] as number;
        types[id] = type;
        starts[id] = node;
        neighbours[place] = ends[id] as number;
      }
    });
  }
  for (const [, list] of incoming.lists()) {
    const { relationships: ids, neighbours } = list;
    list.forEachRun((_node, from, to) => {
      for (let place = from; place < to; place++) {
        neighbours[place] = starts[ids[place] as number] as number;
      }
    });
  }
}
