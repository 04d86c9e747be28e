/** What queries read of an index: which values its keys have, and which entities have them. */
export interface LegacyEntries {
  keys(): Iterable<string>;
  /** Terms of a key's values; may repeat. */
  terms(key: string): Iterable<string>;
  valuesOfTerm(key: string, term: string): Iterable<string>;
  ids(key: string, value: string): Iterable<number>;
  /** Where an entity stands in the index: earlier ones have smaller numbers. */
  orderOf(id: number): number;
  /** How many entities the index has. */
  readonly size: number;
}

/** Entries by key and value. */
export type EntryTable = Map<string, Map<string, Set<number>>>;

export function addEntry(table: EntryTable, key: string, value: string, id: number): void {
  let values = table.get(key);
  if (values === undefined) {
    values = new Map();
    table.set(key, values);
  }
  const ids = values.get(value);
  if (ids === undefined) {
    values.set(value, new Set([id]));
  } else {
    ids.add(id);
  }
}

/** @returns  whether the value has no entity any more */
export function removeEntry(table: EntryTable, key: string, value: string, id: number): boolean {
  const values = table.get(key);
  const ids = values?.get(value);
  if (values === undefined || ids === undefined || !ids.delete(id) || ids.size > 0) {
    return false;
  }
  values.delete(value);
  if (values.size === 0) {
    table.delete(key);
  }
  return true;
}
