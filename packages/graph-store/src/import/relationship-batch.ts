import { appendRelationships, idsByType } from "../adjacency/append-relationships.ts";
import { grown, sharedInt32 } from "../memory/shared-array.ts";
import { atOnce } from "../memory/steps.ts";
import { type GraphBase } from "../tables/graph-base.ts";

/** Relationships whose adjacency is made when all of them are there, so that every node's run has its final size. */
export class RelationshipBatch {
  #ids = sharedInt32(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  expect(relationships: number): void {
    this.#ids = grown(this.#ids, this.#length + relationships, 0);
  }

  add(relationship: number): void {
    const place = this.#length++;
    this.#ids = grown(this.#ids, this.#length, 0);
    this.#ids[place] = relationship;
  }

  /** The relationships are in the table by now. */
  addTo(base: GraphBase): void {
    const { relationships, nodes } = base;
    for (const [type, ids] of atOnce(idsByType(this.#ids.subarray(0, this.#length), relationships.types))) {
      atOnce(appendRelationships(base, type, ids, relationships, nodes.idLimit));
      countLabels(base, type, ids);
    }
  }
}

/** Counts by the sets of labels that nodes have, of which there are few, instead of by relationship and label. */
function countLabels(base: GraphBase, type: number, ids: Int32Array): void {
  const { labelSets } = base.nodes;
  for (const [direction, nodes] of [
    ["out", base.relationships.starts],
    ["in", base.relationships.ends],
  ] as const) {
    const counts: number[] = [];
    for (const id of ids) {
      const set = labelSets[nodes[id] as number] as number;
      counts[set] = (counts[set] ?? 0) + 1;
    }
    counts.forEach((count, set) => {
      for (const label of base.nodes.labelsInSet(set)) {
        base.labelTypeCounts.add(label, type, direction, count);
      }
    });
  }
}
