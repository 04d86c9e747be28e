import { InternedSets } from "../memory/interned-sets.ts";
import { grown, sharedInt32 } from "../memory/shared-array.ts";
import { int32InSteps, type SectionReader, type SectionWriter } from "../memory/snapshot-sections.ts";
import { type Steps } from "../memory/steps.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { kindOf } from "./column-kind.ts";
import { PropertyColumn } from "./property-column.ts";
import { type StringDictionary } from "./string-dictionary.ts";

/** All properties of the nodes (or of the relationships): a column per key, and per entity the set of its keys. */
export class PropertyTable {
  readonly #columns: (PropertyColumn | undefined)[] = [];
  /** Columns that nobody has asked for since the store was opened. */
  readonly #unread = new Map<number, () => PropertyColumn>();
  #keySets: Int32Array = sharedInt32(0);
  #sets = new InternedSets();
  #expectedIds = 0;
  readonly #strings: StringDictionary;

  constructor(strings: StringDictionary) {
    this.#strings = strings;
  }

  column(key: number): PropertyColumn | undefined {
    return this.#columns[key] ?? this.#read(key);
  }

  get(entity: number, key: number): PropertyValue | undefined {
    return this.column(key)?.get(entity);
  }

  /** Ascending key ids; shared, not to be changed. */
  keysOf(entity: number): readonly number[] {
    return this.#sets.membersOf(this.#keySets[entity] ?? 0);
  }

  set(entity: number, key: number, value: PropertyValue | undefined): void {
    this.#keySets = grown(this.#keySets, entity + 1, 0);
    const set = this.#keySets[entity] as number;
    if (value === undefined) {
      this.column(key)?.remove(entity);
      this.#keySets[entity] = this.#sets.without(set, key);
    } else {
      this.columnFor(key, value).set(entity, value);
      this.#keySets[entity] = this.#sets.with(set, key);
    }
  }

  /** The column of a key, made for `first` when there is none. */
  columnFor(key: number, first: PropertyValue): PropertyColumn {
    let column = this.column(key);
    if (column === undefined) {
      column = new PropertyColumn(kindOf(first), this.#strings);
      column.expect(this.#expectedIds);
      this.#put(key, column);
    }
    return column;
  }

  /** Makes room for entities up to an id, all at once; columns take it when most of those before have a value. */
  expect(idLimit: number): void {
    this.#keySets = grown(this.#keySets, idLimit, 0);
    this.#expectedIds = idLimit;
    this.#readAll();
    for (const column of this.#columns) {
      column?.expect(idLimit);
    }
  }

  /** The number of a set of keys, for {@link PropertyTable.haveKeys}. */
  keySetOf(keys: readonly number[]): number {
    return this.#sets.idOf(keys);
  }

  /** Notes which keys a new entity has; bulk import has written the values into their columns. */
  haveKeys(entity: number, keySet: number): void {
    this.#keySets = grown(this.#keySets, entity + 1, 0);
    this.#keySets[entity] = keySet;
  }

  clear(entity: number): void {
    for (const key of this.keysOf(entity)) {
      this.column(key)?.remove(entity);
    }
    if (entity < this.#keySets.length) {
      this.#keySets[entity] = 0;
    }
  }

  save(out: SectionWriter, name: string, idLimit: number): void {
    this.#readAll();
    out.json(`${name}.sets`, this.#sets.all());
    out.json(
      `${name}.columns`,
      this.#columns.flatMap((column, key) => (column === undefined ? [] : [key])),
    );
    out.array(`${name}.keySets`, this.#keySets, Math.min(idLimit, this.#keySets.length));
    this.#columns.forEach((column, key) => column?.save(out, `${name}.${key}`));
  }

  static *restore(source: SectionReader, name: string, strings: StringDictionary): Steps<PropertyTable> {
    const table = new PropertyTable(strings);
    table.#sets = InternedSets.restore(source.json(`${name}.sets`) as number[][]);
    table.#keySets = yield* int32InSteps(source, `${name}.keySets`);
    for (const key of source.json(`${name}.columns`) as number[]) {
      table.#unread.set(key, () => PropertyColumn.restore(source, `${name}.${key}`, strings));
    }
    return table;
  }

  #readAll(): void {
    for (const key of this.#unread.keys()) {
      this.#read(key);
    }
  }

  #read(key: number): PropertyColumn | undefined {
    const column = this.#unread.get(key)?.();
    if (column !== undefined) {
      this.#unread.delete(key);
      this.#put(key, column);
    }
    return column;
  }

  #put(key: number, column: PropertyColumn): void {
    while (this.#columns.length < key) {
      this.#columns.push(undefined);
    }
    this.#columns[key] = column;
  }
}
