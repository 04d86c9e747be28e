import { grown, sharedInt32 } from "../memory/shared-array.ts";
import { int32InSteps, type SectionReader, type SectionWriter } from "../memory/snapshot-sections.ts";
import { inParts, type Steps } from "../memory/steps.ts";
import { readOutgoingLists } from "./outgoing-lists.ts";
import { type RelationshipCounts } from "./relationship-counts.ts";

export const NO_RELATIONSHIP = -1;

/** Relationships that are looked at in a step. */
const PART = 1 << 16;

/** Which relationships there are: type, start and end of each, side by side. */
export class RelationshipTable {
  #starts: Int32Array = sharedInt32(0);
  #ends: Int32Array = sharedInt32(0);
  #types: Int32Array = sharedInt32(0);
  readonly #counts: RelationshipCounts;

  constructor(counts: RelationshipCounts) {
    this.#counts = counts;
  }

  get count(): number {
    return this.#counts.count;
  }

  get idLimit(): number {
    return this.#counts.idLimit;
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
    return this.#counts.typeCount(type);
  }

  /** How many relationships of a type start and end at the same node: 0 makes the degree of both directions a sum. */
  loopCount(type: number): number {
    return this.#counts.loopCount(type);
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
    this.#counts.created(relationship, type, start === end);
  }

  delete(relationship: number): void {
    const type = this.#types[relationship] as number;
    this.#counts.deleted(type, this.#starts[relationship] === this.#ends[relationship]);
    this.#types[relationship] = NO_RELATIONSHIP;
  }

  freeIds(): number[] {
    const free: number[] = [];
    for (let relationship = 0; relationship < this.idLimit; relationship++) {
      if (this.#types[relationship] === NO_RELATIONSHIP) {
        free.push(relationship);
      }
    }
    return free;
  }

  /** Each relationship there is, ascending. */
  *ids(): Steps<Int32Array> {
    const ids = new Int32Array(this.count);
    let found = 0;
    yield* inParts(this.idLimit, PART, (from, to) => {
      for (let relationship = from; relationship < to; relationship++) {
        if (this.#types[relationship] !== NO_RELATIONSHIP) {
          ids[found++] = relationship;
        }
      }
    });
    return ids;
  }

  save(out: SectionWriter): void {
    out.array("relationships.types", this.#types, this.idLimit);
    out.array("relationships.starts", this.#starts, this.idLimit);
    out.array("relationships.ends", this.#ends, this.idLimit);
  }

  static *restore(source: SectionReader, counts: RelationshipCounts): Steps<RelationshipTable> {
    const table = new RelationshipTable(counts);
    table.#ends = yield* int32InSteps(source, "relationships.ends");
    if (source.has("relationships.starts")) {
      table.#types = yield* int32InSteps(source, "relationships.types");
      table.#starts = yield* int32InSteps(source, "relationships.starts");
    } else {
      table.#types = sharedInt32(counts.idLimit).fill(NO_RELATIONSHIP);
      table.#starts = sharedInt32(counts.idLimit);
      readOutgoingLists(source, table);
    }
    return table;
  }
}
