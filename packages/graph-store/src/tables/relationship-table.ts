import { grown, sharedInt32 } from "../memory/shared-array.ts";
import { type SectionReader, type SectionWriter } from "../memory/snapshot-sections.ts";

export const NO_RELATIONSHIP = -1;

/** Which relationships there are: type, start and end of each, side by side. */
export class RelationshipTable {
  #starts: Int32Array = sharedInt32(0);
  #ends: Int32Array = sharedInt32(0);
  #types: Int32Array = sharedInt32(0);
  #typeCounts: number[] = [];
  #loopCounts: number[] = [];
  #count = 0;
  #idLimit = 0;

  get count(): number {
    return this.#count;
  }

  get idLimit(): number {
    return this.#idLimit;
  }

  get starts(): Int32Array {
    return this.#starts;
  }

  get ends(): Int32Array {
    return this.#ends;
  }

  /** {@link NO_RELATIONSHIP} where there is none. May be longer than `idLimit`, as all of them. */
  get types(): Int32Array {
    return this.#types;
  }

  typeCount(type: number): number {
    return this.#typeCounts[type] ?? 0;
  }

  /** How many relationships of a type start and end at the same node: 0 makes the degree of both directions a sum. */
  loopCount(type: number): number {
    return this.#loopCounts[type] ?? 0;
  }

  exists(relationship: number): boolean {
    return (this.#types[relationship] ?? NO_RELATIONSHIP) !== NO_RELATIONSHIP;
  }

  /** Makes room for relationships up to an id, all at once. */
  reserve(idLimit: number): void {
    this.#types = grown(this.#types, idLimit, NO_RELATIONSHIP);
    this.#starts = grown(this.#starts, idLimit, 0);
    this.#ends = grown(this.#ends, idLimit, 0);
  }

  create(relationship: number, start: number, type: number, end: number): void {
    this.#types = grown(this.#types, relationship + 1, NO_RELATIONSHIP);
    this.#starts = grown(this.#starts, relationship + 1, 0);
    this.#ends = grown(this.#ends, relationship + 1, 0);
    this.#types[relationship] = type;
    this.#starts[relationship] = start;
    this.#ends[relationship] = end;
    this.#idLimit = Math.max(this.#idLimit, relationship + 1);
    this.#counted(type, start === end, 1);
  }

  delete(relationship: number): void {
    const type = this.#types[relationship] as number;
    this.#counted(type, this.#starts[relationship] === this.#ends[relationship], -1);
    this.#types[relationship] = NO_RELATIONSHIP;
  }

  freeIds(): number[] {
    const free: number[] = [];
    for (let relationship = 0; relationship < this.#idLimit; relationship++) {
      if (this.#types[relationship] === NO_RELATIONSHIP) {
        free.push(relationship);
      }
    }
    return free;
  }

  save(out: SectionWriter): void {
    out.json("relationships.facts", {
      idLimit: this.#idLimit,
      count: this.#count,
      typeCounts: this.#typeCounts,
      loopCounts: this.#loopCounts,
    });
    out.array("relationships.ends", this.#ends, this.#idLimit);
    // Where the arrays are written, lists of relationships tell the others.
    if (out.isLent === true) {
      out.array("relationships.types", this.#types, this.#idLimit);
      out.array("relationships.starts", this.#starts, this.#idLimit);
    }
  }

  static restore(source: SectionReader): RelationshipTable {
    const facts = source.json("relationships.facts") as {
      idLimit: number;
      count: number;
      typeCounts: number[];
      loopCounts: number[];
    };
    const table = new RelationshipTable();
    table.#idLimit = facts.idLimit;
    table.#count = facts.count;
    table.#typeCounts = facts.typeCounts;
    table.#loopCounts = facts.loopCounts;
    table.#ends = source.int32("relationships.ends");
    if (hasDerivedArrays(source)) {
      table.#types = source.int32("relationships.types");
      table.#starts = source.int32("relationships.starts");
    } else {
      table.#types = sharedInt32(facts.idLimit).fill(NO_RELATIONSHIP);
      table.#starts = sharedInt32(facts.idLimit);
    }
    return table;
  }

  #counted(type: number, loop: boolean, by: number): void {
    while (this.#typeCounts.length <= type) {
      this.#typeCounts.push(0);
      this.#loopCounts.push(0);
    }
    this.#count += by;
    this.#typeCounts[type] = this.typeCount(type) + by;
    this.#loopCounts[type] = this.loopCount(type) + (loop ? by : 0);
  }
}

/** Whether nothing was left out: the arrays are another thread's, or of a checkpoint from before any was. */
export function hasDerivedArrays(source: SectionReader): boolean {
  return source.has("relationships.starts");
}
