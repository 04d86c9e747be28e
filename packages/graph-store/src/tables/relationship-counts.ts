import { type SectionReader, type SectionWriter } from "../memory/snapshot-sections.ts";

interface Facts {
  readonly idLimit: number;
  readonly count: number;
  readonly typeCounts: readonly number[];
  readonly loopCounts: readonly number[];
}

/** How many relationships there are, by type: known before their arrays are read. */
export class RelationshipCounts {
  readonly #typeCounts: number[] = [];
  readonly #loopCounts: number[] = [];
  #count = 0;
  #idLimit = 0;

  get count(): number {
    return this.#count;
  }

  get idLimit(): number {
    return this.#idLimit;
  }

  typeCount(type: number): number {
    return this.#typeCounts[type] ?? 0;
  }

  loopCount(type: number): number {
    return this.#loopCounts[type] ?? 0;
  }

  created(relationship: number, type: number, isLoop: boolean): void {
    this.#idLimit = Math.max(this.#idLimit, relationship + 1);
    this.#add(type, isLoop, 1);
  }

  deleted(type: number, isLoop: boolean): void {
    this.#add(type, isLoop, -1);
  }

  save(out: SectionWriter): void {
    const facts: Facts = {
      idLimit: this.#idLimit,
      count: this.#count,
      typeCounts: this.#typeCounts,
      loopCounts: this.#loopCounts,
    };
    out.json("relationships.facts", facts);
  }

  static restore(source: SectionReader): RelationshipCounts {
    const facts = source.json("relationships.facts") as Facts;
    const counts = new RelationshipCounts();
    counts.#idLimit = facts.idLimit;
    counts.#count = facts.count;
    counts.#typeCounts.push(...facts.typeCounts);
    counts.#loopCounts.push(...facts.loopCounts);
    return counts;
  }

  #add(type: number, isLoop: boolean, by: number): void {
    while (this.#typeCounts.length <= type) {
      this.#typeCounts.push(0);
      this.#loopCounts.push(0);
    }
    this.#count += by;
    this.#typeCounts[type] = this.typeCount(type) + by;
    this.#loopCounts[type] = this.loopCount(type) + (isLoop ? by : 0);
  }
}
