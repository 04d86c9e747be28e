import { clearBit, setBit, wordsFor } from "../memory/bitmap.ts";
import { InternedSets } from "../memory/interned-sets.ts";
import { grown, sharedInt32, sharedUint32 } from "../memory/shared-array.ts";
import { type SectionReader, type SectionWriter } from "../memory/snapshot-sections.ts";

export const NO_NODE = -1;

const ALL_BITS = 0xffffffff;

/** Which nodes there are and what labels they have: a label set per node, a bitmap per label. */
export class NodeTable {
  #labelSets: Int32Array = sharedInt32(0);
  #sets = new InternedSets();
  #bitmaps: (Uint32Array | undefined)[] = [];
  #labelCounts: number[] = [];
  #count = 0;
  #idLimit = 0;

  get count(): number {
    return this.#count;
  }

  get idLimit(): number {
    return this.#idLimit;
  }

  /** Per node the number of its label set, {@link NO_NODE} where there is none. May be longer than `idLimit`. */
  get labelSets(): Int32Array {
    return this.#labelSets;
  }

  /** One bit per node; ids beyond its end don't have the label. */
  labelBitmap(label: number): Uint32Array | undefined {
    return this.#bitmaps[label];
  }

  labelCount(label: number): number {
    return this.#labelCounts[label] ?? 0;
  }

  exists(node: number): boolean {
    return (this.#labelSets[node] ?? NO_NODE) !== NO_NODE;
  }

  /** Ascending label ids; shared, not to be changed. */
  labelsOf(node: number): readonly number[] {
    const set = this.#labelSets[node] ?? NO_NODE;
    return this.#sets.membersOf(set === NO_NODE ? 0 : set);
  }

  /** The labels of every node whose label set this is. */
  labelsInSet(set: number): readonly number[] {
    return this.#sets.membersOf(set);
  }

  create(node: number): void {
    this.#labelSets = grown(this.#labelSets, node + 1, NO_NODE);
    this.#labelSets[node] = 0;
    this.#idLimit = Math.max(this.#idLimit, node + 1);
    this.#count += 1;
  }

  addLabel(node: number, label: number): void {
    while (this.#bitmaps.length <= label) {
      this.#bitmaps.push(undefined);
      this.#labelCounts.push(0);
    }
    const bitmap = grown(this.#bitmaps[label] ?? sharedUint32(0), wordsFor(node + 1), 0);
    this.#bitmaps[label] = bitmap;
    setBit(bitmap, node);
    this.#labelCounts[label] = this.labelCount(label) + 1;
    this.#labelSets[node] = this.#sets.with(this.#labelSets[node] as number, label);
  }

  removeLabel(node: number, label: number): void {
    clearBit(this.#bitmaps[label] as Uint32Array, node);
    this.#labelCounts[label] = this.labelCount(label) - 1;
    this.#labelSets[node] = this.#sets.without(this.#labelSets[node] as number, label);
  }

  /** The node must be without labels by now. */
  delete(node: number): void {
    this.#labelSets[node] = NO_NODE;
    this.#count -= 1;
  }

  freeIds(): number[] {
    const free: number[] = [];
    for (let node = 0; node < this.#idLimit; node++) {
      if (this.#labelSets[node] === NO_NODE) {
        free.push(node);
      }
    }
    return free;
  }

  save(out: SectionWriter): void {
    out.json("nodes.facts", { idLimit: this.#idLimit, count: this.#count });
    out.json("nodes.sets", this.#sets.all());
    out.array("nodes.labelSets", this.#labelSets, this.#idLimit);
  }

  static restore(source: SectionReader): NodeTable {
    const facts = source.json("nodes.facts") as { idLimit: number; count: number };
    const table = new NodeTable();
    table.#idLimit = facts.idLimit;
    table.#count = facts.count;
    table.#sets = InternedSets.restore(source.json("nodes.sets") as number[][]);
    table.#labelSets = source.int32("nodes.labelSets");
    table.#rebuildBitmaps();
    return table;
  }

  /** Bits are set node by node where labels differ, counts are made set by set. */
  #rebuildBitmaps(): void {
    const words = wordsFor(this.#idLimit);
    const sets = this.#sets.all();
    this.#bitmaps = Array.from({ length: 1 + Math.max(-1, ...sets.flat()) }, () => sharedUint32(words));
    this.#labelCounts = this.#bitmaps.map(() => 0);
    const bitmapsBySet = sets.map((labels) => labels.map((label) => this.#bitmaps[label] as Uint32Array));
    const nodesBySet = new Int32Array(sets.length);
    const labelSets = this.#labelSets;
    for (let from = 0; from < this.#idLimit; from += 32) {
      const to = Math.min(from + 32, this.#idLimit);
      const set = labelSets[from] as number;
      let same = from + 1;
      while (same < to && labelSets[same] === set) {
        same += 1;
      }
      if (set !== NO_NODE && same === from + 32) {
        // A whole word at once: neighbours mostly have the same labels.
        nodesBySet[set] = (nodesBySet[set] as number) + 32;
        for (const bitmap of bitmapsBySet[set] as readonly Uint32Array[]) {
          bitmap[from >>> 5] = ALL_BITS;
        }
      } else {
        for (let node = from; node < to; node++) {
          const own = labelSets[node] as number;
          if (own !== NO_NODE) {
            nodesBySet[own] = (nodesBySet[own] as number) + 1;
            for (const bitmap of bitmapsBySet[own] as readonly Uint32Array[]) {
              setBit(bitmap, node);
            }
          }
        }
      }
    }
    for (const [set, labels] of sets.entries()) {
      for (const label of labels) {
        this.#labelCounts[label] = this.labelCount(label) + (nodesBySet[set] as number);
      }
    }
  }
}
