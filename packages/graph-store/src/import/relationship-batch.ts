import { type Adjacency } from "../adjacency/adjacency.ts";
import { grown, sharedInt32 } from "../memory/shared-array.ts";
import { type GraphBase } from "../tables/graph-base.ts";

/** Relationships gathered before they go into the adjacency, so that every node's run is made once, at its final size. */
export class RelationshipBatch {
  #ids = sharedInt32(0);
  #starts = sharedInt32(0);
  #types = sharedInt32(0);
  #ends = sharedInt32(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(relationship: number, start: number, type: number, end: number): void {
    const place = this.#length++;
    this.#ids = grown(this.#ids, this.#length, 0);
    this.#starts = grown(this.#starts, this.#length, 0);
    this.#types = grown(this.#types, this.#length, 0);
    this.#ends = grown(this.#ends, this.#length, 0);
    this.#ids[place] = relationship;
    this.#starts[place] = start;
    this.#types[place] = type;
    this.#ends[place] = end;
  }

  addTo(base: GraphBase): void {
    for (let place = 0; place < this.#length; place++) {
      const type = this.#types[place] as number;
      const start = this.#starts[place] as number;
      const end = this.#ends[place] as number;
      base.relationships.create(this.#ids[place] as number, start, type, end);
      base.labelTypeCounts.addRelationship(base.nodes.labelsOf(start), type, base.nodes.labelsOf(end), 1);
    }
    this.#append(base.outgoing, this.#starts, this.#ends, base.nodes.idLimit);
    this.#append(base.incoming, this.#ends, this.#starts, base.nodes.idLimit);
  }

  #append(adjacency: Adjacency, nodes: Int32Array, neighbours: Int32Array, nodeIdLimit: number): void {
    for (const [type, places] of this.#placesByType()) {
      const list = adjacency.listFor(type);
      list.reservePool(places.length);
      // Counting every node's degree pays where many of them have the type.
      if (places.length * 16 > nodeIdLimit) {
        const degrees = new Int32Array(nodeIdLimit);
        for (const place of places) {
          const node = nodes[place] as number;
          degrees[node] = (degrees[node] as number) + 1;
        }
        for (let node = 0; node < nodeIdLimit; node++) {
          if (degrees[node] !== 0) {
            list.reserve(node, degrees[node] as number);
          }
        }
      }
      for (const place of places) {
        const node = nodes[place] as number;
        list.append(node, this.#ids[place] as number, neighbours[place] as number);
        adjacency.noteType(node, type);
      }
    }
  }

  #placesByType(): Map<number, Int32Array> {
    const counts: number[] = [];
    for (let place = 0; place < this.#length; place++) {
      const type = this.#types[place] as number;
      counts[type] = (counts[type] ?? 0) + 1;
    }
    const places = new Map<number, Int32Array>();
    counts.forEach((count, type) => places.set(type, new Int32Array(count)));
    const filled: number[] = [];
    for (let place = 0; place < this.#length; place++) {
      const type = this.#types[place] as number;
      const at = filled[type] ?? 0;
      (places.get(type) as Int32Array)[at] = place;
      filled[type] = at + 1;
    }
    return places;
  }
}
