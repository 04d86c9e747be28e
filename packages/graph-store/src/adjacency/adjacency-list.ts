import { copied, grown, sharedInt32, sharedUint32 } from "../memory/shared-array.ts";
import { isDense, isSparse, SlotIndex } from "../memory/slot-index.ts";
import { type SectionReader, type SectionWriter } from "../memory/snapshot-sections.ts";
import { inParts, type Steps } from "../memory/steps.ts";

/** Nodes that are gone through in a step. */
const PART = 1 << 13;
/** Relationships that are, fewer: nearly each is the first at some page of fresh memory. */
const SCATTERED_PART = 1 << 9;

/** Where every run begins, and the pools they are in. */
interface Runs {
  readonly starts: Uint32Array;
  readonly neighbours: Int32Array;
  readonly relationships: Int32Array;
  readonly used: number;
}

/**
 * The relationships of one type in one direction: for every node a run of the two parallel pools, with room to
 * append in place. A full run moves to the end of the pools with twice the room; its old place stays as it was.
 * Few nodes of many: a hash table maps a node to its slot, as in property columns.
 */
export class AdjacencyList {
  #starts = sharedUint32(0);
  #lengths = sharedInt32(0);
  #capacities = sharedInt32(0);
  #neighbours = sharedInt32(0);
  #relationships = sharedInt32(0);
  #slots: SlotIndex | undefined;
  #poolUsed = 0;
  #poolLive = 0;
  #nodeIdLimit = 0;
  /** How many nodes have a run, be it empty by now. */
  #runCount = 0;

  /** Whether `starts` and `lengths` are indexed by node id; nodes beyond their end have no relationships. */
  get dense(): boolean {
    return this.#slots === undefined;
  }

  get starts(): Uint32Array {
    return this.#starts;
  }

  get lengths(): Int32Array {
    return this.#lengths;
  }

  get neighbours(): Int32Array {
    return this.#neighbours;
  }

  get relationships(): Int32Array {
    return this.#relationships;
  }

  /** Where `starts` and `lengths` have this node; -1 or beyond their end when it has none. */
  slotOf(node: number): number {
    return this.#slots === undefined ? node : this.#slots.find(node);
  }

  degree(node: number): number {
    return this.#lengths[this.slotOf(node)] ?? 0;
  }

  append(node: number, relationship: number, neighbour: number): void {
    const slot = this.#slotFor(node);
    const length = this.#lengths[slot] as number;
    if (length === (this.#capacities[slot] as number)) {
      this.#move(slot, Math.max(length * 2, 1));
    }
    const place = (this.#starts[slot] as number) + length;
    this.#neighbours[place] = neighbour;
    this.#relationships[place] = relationship;
    this.#lengths[slot] = length + 1;
  }

  /**
   * Appends many relationships at once, in the order of `ids`.
   *
   * @param degrees  how many each node gets of them
   * @param nodes, neighbours  the two ends by relationship
   */
  *appendCounted(degrees: Int32Array, ids: Int32Array, nodes: Int32Array, neighbours: Int32Array): Steps<void> {
    this.reservePool(ids.length);
    yield* inParts(degrees.length, PART, (from, to) => {
      for (let node = from; node < to; node++) {
        if (degrees[node] !== 0) {
          this.reserve(node, degrees[node] as number);
        }
      }
    });
    yield* inParts(ids.length, SCATTERED_PART, (from, to) =>
      this.#appendReserved(ids.subarray(from, to), nodes, neighbours),
    );
  }

  /** Appends where there is room for all of them. */
  #appendReserved(ids: Int32Array, nodes: Int32Array, neighbours: Int32Array): void {
    if (this.#slots !== undefined) {
      for (const id of ids) {
        this.append(nodes[id] as number, id, neighbours[id] as number);
      }
      return;
    }
    const [starts, lengths, ends, own] = [this.#starts, this.#lengths, this.#neighbours, this.#relationships];
    for (const id of ids) {
      const node = nodes[id] as number;
      const length = lengths[node] as number;
      const place = (starts[node] as number) + length;
      ends[place] = neighbours[id] as number;
      own[place] = id;
      lengths[node] = length + 1;
    }
  }

  /** Makes room for exactly `extra` more relationships of `node`: bulk import knows the degrees before it appends. */
  reserve(node: number, extra: number): void {
    const slot = this.#slotFor(node);
    const needed = (this.#lengths[slot] as number) + extra;
    if (needed > (this.#capacities[slot] as number)) {
      this.#move(slot, needed);
    }
  }

  /** Makes room in the pools for `count` more relationships at once. */
  reservePool(count: number): void {
    this.#neighbours = grown(this.#neighbours, this.#poolUsed + count, 0);
    this.#relationships = grown(this.#relationships, this.#poolUsed + count, 0);
  }

  /** Removes those of the node's relationships that are in `gone`; the others stay in their order. */
  remove(node: number, gone: ReadonlySet<number>): void {
    const slot = this.slotOf(node);
    const start = this.#starts[slot] as number;
    const end = start + (this.#lengths[slot] as number);
    let kept = start;
    for (let place = start; place < end; place++) {
      const relationship = this.#relationships[place] as number;
      if (!gone.has(relationship)) {
        this.#relationships[kept] = relationship;
        this.#neighbours[kept] = this.#neighbours[place] as number;
        kept += 1;
      }
    }
    this.#lengths[slot] = kept - start;
  }

  /** Hands over the arrays as they lie. A checkpoint has none of them: relationships tell them (append-relationships.ts). */
  save(out: SectionWriter, name: string): void {
    const length = this.#slots?.size ?? Math.min(this.#nodeIdLimit, this.#starts.length);
    out.json(`${name}.facts`, {
      dense: this.dense,
      nodeIdLimit: this.#nodeIdLimit,
      runCount: this.#runCount,
      used: this.#poolUsed,
    });
    out.array(`${name}.lengths`, this.#lengths, length);
    out.array(`${name}.starts`, this.#starts, length);
    out.array(`${name}.relationships`, this.#relationships, this.#poolUsed);
    out.array(`${name}.neighbours`, this.#neighbours, this.#poolUsed);
    if (this.#slots !== undefined) {
      out.array(`${name}.ids`, this.#slots.idsBySlot(), length);
    }
  }

  static restore(source: SectionReader, name: string): AdjacencyList {
    const facts = source.json(`${name}.facts`) as {
      dense: boolean;
      nodeIdLimit: number;
      runCount: number;
      used: number;
    };
    const list = new AdjacencyList();
    list.#starts = source.uint32(`${name}.starts`);
    list.#lengths = source.int32(`${name}.lengths`);
    // Whatever comes moves a run: the room behind it is another thread's.
    list.#capacities = copied(list.#lengths);
    list.#neighbours = source.int32(`${name}.neighbours`);
    list.#relationships = source.int32(`${name}.relationships`);
    list.#slots = facts.dense ? undefined : SlotIndex.restore(source.int32(`${name}.ids`));
    list.#poolUsed = facts.used;
    list.#poolLive = facts.used;
    list.#nodeIdLimit = facts.nodeIdLimit;
    list.#runCount = facts.runCount;
    return list;
  }

  #slotFor(node: number): number {
    this.#nodeIdLimit = Math.max(this.#nodeIdLimit, node + 1);
    if (this.#slots === undefined) {
      if (node < this.#starts.length) {
        return node;
      }
      if (!isSparse(this.#runCount, node)) {
        this.#growSlots(node + 1);
        return node;
      }
      this.#slots = this.#makeHashed();
    } else if (isDense(this.#slots.size, this.#nodeIdLimit)) {
      this.#makeDense(this.#slots);
      return node;
    }
    const slot = this.#slots.add(node);
    this.#growSlots(slot + 1);
    return slot;
  }

  #growSlots(length: number): void {
    this.#starts = grown(this.#starts, length, 0);
    this.#lengths = grown(this.#lengths, length, 0);
    this.#capacities = grown(this.#capacities, length, 0);
  }

  #makeHashed(): SlotIndex {
    const slots = new SlotIndex();
    for (let node = 0; node < this.#lengths.length; node++) {
      if ((this.#capacities[node] as number) > 0) {
        slots.add(node);
      }
    }
    const length = slots.size;
    this.#remap(length, (visit) => slots.forEach((node, slot) => visit(node, slot)));
    return slots;
  }

  #makeDense(slots: SlotIndex): void {
    this.#remap(this.#nodeIdLimit, (visit) => slots.forEach((node, slot) => visit(slot, node)));
    this.#slots = undefined;
  }

  /** Slot arrays of another order: `moves` calls back with (former slot, new slot). */
  #remap(length: number, moves: (visit: (from: number, to: number) => void) => void): void {
    const starts = sharedUint32(length);
    const lengths = sharedInt32(length);
    const capacities = sharedInt32(length);
    moves((from, to) => {
      starts[to] = this.#starts[from] as number;
      lengths[to] = this.#lengths[from] as number;
      capacities[to] = this.#capacities[from] as number;
    });
    this.#starts = starts;
    this.#lengths = lengths;
    this.#capacities = capacities;
  }

  #move(slot: number, capacity: number): void {
    if (this.#poolUsed + capacity > this.#neighbours.length) {
      this.#makeRoom(capacity);
    }
    const from = this.#starts[slot] as number;
    const length = this.#lengths[slot] as number;
    if (length > 0) {
      this.#neighbours.copyWithin(this.#poolUsed, from, from + length);
      this.#relationships.copyWithin(this.#poolUsed, from, from + length);
    }
    const former = this.#capacities[slot] as number;
    this.#poolLive += capacity - former;
    this.#runCount += former === 0 ? 1 : 0;
    this.#starts[slot] = this.#poolUsed;
    this.#capacities[slot] = capacity;
    this.#poolUsed += capacity;
  }

  /** Pools that are mostly abandoned runs are written anew, else they grow; either way old readers keep the old arrays. */
  #makeRoom(extra: number): void {
    if (this.#poolLive * 2 < this.#poolUsed) {
      const compact = this.#compacted(extra);
      this.#starts = compact.starts;
      this.#capacities = copied(this.#lengths);
      this.#neighbours = compact.neighbours;
      this.#relationships = compact.relationships;
      this.#poolUsed = compact.used;
      this.#poolLive = compact.used;
    }
    this.reservePool(extra);
  }

  #relationshipCount(): number {
    let total = 0;
    for (const length of this.#lengths) {
      total += length;
    }
    return total;
  }

  #compacted(extra: number): Runs {
    const total = this.#relationshipCount();
    const starts = sharedUint32(this.#starts.length);
    const neighbours = sharedInt32(total + extra);
    const relationships = sharedInt32(total + extra);
    let used = 0;
    for (let slot = 0; slot < this.#lengths.length; slot++) {
      const start = this.#starts[slot] as number;
      const length = this.#lengths[slot] as number;
      starts[slot] = used;
      if (length > 0) {
        neighbours.set(this.#neighbours.subarray(start, start + length), used);
        relationships.set(this.#relationships.subarray(start, start + length), used);
        used += length;
      }
    }
    return { starts, neighbours, relationships, used };
  }
}
