import { type PropertyValue } from "../values/property-value.ts";
import { hashOfValues } from "./value-key.ts";
import { type ValueIndex } from "./value-index.ts";

interface Entries {
  readonly byHash: Map<number, number[]>;
  readonly all: Set<number>;
}

/**
 * What a transaction's own writes put into indexes, for its own views alone. Entries are never taken back: a view checks
 * every candidate anyway.
 */
export class OwnEntrySet {
  readonly #byIndex = new Map<ValueIndex, Entries>();

  add(index: ValueIndex, id: number, values: readonly PropertyValue[]): void {
    let entries = this.#byIndex.get(index);
    if (entries === undefined) {
      entries = { byHash: new Map(), all: new Set() };
      this.#byIndex.set(index, entries);
    }
    const hash = hashOfValues(values);
    const ids = entries.byHash.get(hash);
    if (ids === undefined) {
      entries.byHash.set(hash, [id]);
    } else if (!ids.includes(id)) {
      ids.push(id);
    }
    entries.all.add(id);
  }

  /**
   * Appends who may have these values (any, when `undefined`).
   *
   * @returns  whether there is anyone
   */
  collect(index: ValueIndex, values: readonly PropertyValue[] | undefined, into: number[]): boolean {
    const entries = this.#byIndex.get(index);
    const ids = values === undefined ? entries?.all : entries?.byHash.get(hashOfValues(values));
    for (const id of ids ?? []) {
      into.push(id);
    }
    return ids !== undefined;
  }
}
