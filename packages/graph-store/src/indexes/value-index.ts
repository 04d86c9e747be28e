import { type IndexDefinition } from "../schema/definitions.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { HashIndex } from "./hash-index.ts";
import { type OrderFamily, orderKeyOf, type ValueRange } from "./order-key.ts";
import { OrderedIndex } from "./ordered-index.ts";
import { hashOfValues } from "./value-key.ts";

/** Token and property keys of an index by their ids. */
export interface IndexedIds {
  readonly token: number;
  readonly keys: readonly number[];
}

/** An entity with the values of an index's properties, in their order. */
export interface IndexedEntity {
  readonly id: number;
  readonly values: readonly PropertyValue[];
}

/** How many entries an index has, and how many of them differ. */
export interface IndexEntries {
  readonly size: number;
  readonly distinct: number;
}

/**
 * The entries of one index: for every state of an entity that some view can see, one entry under its values. What it
 * gives are therefore candidates, which the asking view checks (docs/decisions/0080).
 *
 * The hash part is always there; the ordered part is made when a range is first asked for, from `states`, and kept from
 * then on.
 */
export class ValueIndex {
  readonly definition: IndexDefinition;
  readonly ids: IndexedIds;
  readonly unique: boolean;
  /** Views of an older epoch are not answered: their states were not entered. */
  readonly validFrom: number;
  readonly #hash = new HashIndex();
  /** What is known of the entries until somebody asks for them, and how they are made then. */
  #unfilled: { readonly entries: IndexEntries; readonly fill: () => void } | undefined;
  #texts: OrderedIndex<string> | undefined;
  #numbers: ReadonlyMap<OrderFamily, OrderedIndex<number>> | undefined;

  constructor(definition: IndexDefinition, ids: IndexedIds, unique: boolean, validFrom: number) {
    this.definition = definition;
    this.ids = ids;
    this.unique = unique;
    this.validFrom = validFrom;
  }

  get size(): number {
    return (this.#unfilled?.entries ?? this.#hash).size;
  }

  get distinct(): number {
    return (this.#unfilled?.entries ?? this.#hash).distinct;
  }

  /** For an index that may never be asked: `fill` adds all entries before the first answer. */
  fillLater(entries: IndexEntries, fill: () => void): void {
    this.#unfilled = { entries, fill };
  }

  /** Whether ranges can be asked for: the index is over one property. */
  get isOrdered(): boolean {
    return this.ids.keys.length === 1;
  }

  add(id: number, values: readonly PropertyValue[]): void {
    this.addHash(id, hashOfValues(values));
    this.#ordered(values, (part, key) => part.add(key as never, id));
  }

  /** For building, where the hash may be known without the value; the ordered part is not there yet. */
  addHash(id: number, hash: number): void {
    this.#hash.add(hash, id);
  }

  remove(id: number, values: readonly PropertyValue[]): void {
    this.#hash.remove(hashOfValues(values), id);
    this.#ordered(values, (part, key) => part.remove(key as never, id));
  }

  /** Appends who may have these values. */
  collectEqual(values: readonly PropertyValue[], into: number[]): void {
    this.#filledHash().collect(hashOfValues(values), into);
  }

  /** Appends who may have values at all. */
  collectAll(into: number[]): void {
    this.#filledHash().collectAll(into);
  }

  /**
   * Appends who may have a value in the range, in order of values.
   *
   * @param family  that of the range
   * @param states  every state there is an entry for; read when no range was asked for before
   */
  collectRange(range: ValueRange, family: OrderFamily, states: () => Iterable<IndexedEntity>, into: number[]): void {
    const { texts, numbers } = this.#orderedParts(states);
    if (range.kind === "prefix") {
      texts.collect(range.prefix, (key) => key.startsWith(range.prefix), into);
      return;
    }
    const low = range.low === undefined ? undefined : orderKeyOf(range.low)?.key;
    const high = range.high === undefined ? undefined : orderKeyOf(range.high)?.key;
    if (family === "text") {
      texts.collect(low as string | undefined, (key) => high === undefined || key <= high, into);
    } else {
      const last = high as number | undefined;
      numbers.get(family)?.collect(low as number | undefined, (key) => last === undefined || key <= last, into);
    }
  }

  /** Whether every entry has a value of `family`. */
  holdsOnly(family: OrderFamily, states: () => Iterable<IndexedEntity>): boolean {
    const { texts, numbers } = this.#orderedParts(states);
    const part = family === "text" ? texts : numbers.get(family);
    return (part?.size ?? 0) === this.#filledHash().size;
  }

  #filledHash(): HashIndex {
    if (this.#unfilled !== undefined) {
      const { fill } = this.#unfilled;
      this.#unfilled = undefined;
      fill();
    }
    return this.#hash;
  }

  #ordered(
    values: readonly PropertyValue[],
    change: (part: OrderedIndex<string> | OrderedIndex<number>, key: string | number) => void,
  ): void {
    const [value] = values;
    if (this.#texts === undefined || value === undefined) {
      return;
    }
    const place = orderKeyOf(value);
    const part = place?.family === "text" ? this.#texts : place && this.#numbers?.get(place.family);
    if (place !== undefined && part !== undefined) {
      change(part, place.key);
    }
  }

  #orderedParts(states: () => Iterable<IndexedEntity>): {
    readonly texts: OrderedIndex<string>;
    readonly numbers: ReadonlyMap<OrderFamily, OrderedIndex<number>>;
  } {
    if (this.#texts === undefined || this.#numbers === undefined) {
      const texts: [string, number][] = [];
      const numbers = new Map(NUMBER_FAMILIES.map((family): [OrderFamily, [number, number][]] => [family, []]));
      for (const { id, values } of states()) {
        const place = values[0] === undefined ? undefined : orderKeyOf(values[0]);
        if (place?.family === "text") {
          texts.push([place.key, id]);
        } else if (place !== undefined) {
          numbers.get(place.family)?.push([place.key, id]);
        }
      }
      this.#texts = OrderedIndex.of(texts);
      this.#numbers = new Map([...numbers].map(([family, entries]) => [family, OrderedIndex.of(entries)]));
    }
    return { texts: this.#texts, numbers: this.#numbers };
  }
}

const NUMBER_FAMILIES: readonly OrderFamily[] = [
  "number",
  "boolean",
  "date",
  "local time",
  "time",
  "local datetime",
  "datetime",
];
