import { type SectionReader, type SectionWriter } from "../memory/snapshot-sections.ts";

const TYPE_RANGE = 2 ** 20;

/** How many relationships of a type leave (or reach) nodes with a label: what the planner estimates an expand by. */
export class LabelTypeCounts {
  readonly #counts = new Map<number, number>();

  get(label: number, type: number, direction: "out" | "in"): number {
    return this.#counts.get(keyOf(label, type, direction)) ?? 0;
  }

  add(label: number, type: number, direction: "out" | "in", by: number): void {
    const key = keyOf(label, type, direction);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
  }

  addRelationship(startLabels: readonly number[], type: number, endLabels: readonly number[], by: number): void {
    for (const label of startLabels) {
      this.add(label, type, "out", by);
    }
    for (const label of endLabels) {
      this.add(label, type, "in", by);
    }
  }

  /** Where these counts are not the `expected` ones, in words. */
  differences(expected: LabelTypeCounts): readonly string[] {
    const keys = new Set([...this.#counts.keys(), ...expected.#counts.keys()]);
    return [...keys].flatMap((key) => {
      const [is, should] = [this.#counts.get(key) ?? 0, expected.#counts.get(key) ?? 0];
      const [label, type] = [Math.floor(key / 2 / TYPE_RANGE), Math.floor(key / 2) % TYPE_RANGE];
      const end = key % 2 === 0 ? "from" : "to";
      return is === should
        ? []
        : [`the count of type ${type} ${end} label ${label} is ${is}, but ${should} were found`];
    });
  }

  save(out: SectionWriter): void {
    out.json("labelTypeCounts", [...this.#counts]);
  }

  static restore(source: SectionReader): LabelTypeCounts {
    const counts = new LabelTypeCounts();
    for (const [key, count] of source.json("labelTypeCounts") as [number, number][]) {
      counts.#counts.set(key, count);
    }
    return counts;
  }
}

function keyOf(label: number, type: number, direction: "out" | "in"): number {
  return (label * TYPE_RANGE + type) * 2 + (direction === "out" ? 0 : 1);
}
