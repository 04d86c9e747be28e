import { type Analyzer, analyzerOf } from "./analyzer.ts";
import { type LegacyConfig } from "./legacy-change.ts";
import { addEntry, type EntryTable, type LegacyEntries, removeEntry } from "./legacy-entries.ts";

/** One key and value that an entity is in an index by. */
export interface LegacyEntry {
  readonly key: string;
  readonly value: string;
}

/** The committed entries of one index. */
export class LegacyIndex implements LegacyEntries {
  readonly config: LegacyConfig;
  readonly analyzer: Analyzer;
  readonly #entries: EntryTable = new Map();
  /** Which values of a key have a term. */
  readonly #valuesOfTerm = new Map<string, Map<string, Set<string>>>();
  readonly #entities = new Map<number, { readonly order: number; readonly entries: Set<string> }>();
  #nextOrder = 0;

  /** @param analyzer  instead of the one that the configuration names */
  constructor(config: LegacyConfig, analyzer: Analyzer = analyzerOf(config)) {
    this.config = config;
    this.analyzer = analyzer;
  }

  get size(): number {
    return this.#entities.size;
  }

  add(id: number, key: string, value: string): void {
    addEntry(this.#entries, key, value, id);
    for (const term of this.analyzer.terms(value)) {
      let terms = this.#valuesOfTerm.get(key);
      if (terms === undefined) {
        terms = new Map();
        this.#valuesOfTerm.set(key, terms);
      }
      const values = terms.get(term);
      if (values === undefined) {
        terms.set(term, new Set([value]));
      } else {
        values.add(value);
      }
    }
    let entity = this.#entities.get(id);
    if (entity === undefined) {
      entity = { order: this.#nextOrder, entries: new Set() };
      this.#nextOrder += 1;
      this.#entities.set(id, entity);
    }
    entity.entries.add(JSON.stringify([key, value]));
  }

  remove(id: number, key: string, value: string): void {
    if (removeEntry(this.#entries, key, value, id)) {
      this.#removeTerms(key, value);
    }
    const entity = this.#entities.get(id);
    entity?.entries.delete(JSON.stringify([key, value]));
    if (entity?.entries.size === 0) {
      this.#entities.delete(id);
    }
  }

  removeEntity(id: number): void {
    for (const { key, value } of this.entriesOf(id)) {
      this.remove(id, key, value);
    }
  }

  entriesOf(id: number): readonly LegacyEntry[] {
    return Array.from(this.#entities.get(id)?.entries ?? [], (text) => {
      const [key, value] = JSON.parse(text) as [string, string];
      return { key, value };
    });
  }

  keys(): Iterable<string> {
    return this.#entries.keys();
  }

  terms(key: string): Iterable<string> {
    return this.#valuesOfTerm.get(key)?.keys() ?? [];
  }

  valuesOfTerm(key: string, term: string): Iterable<string> {
    return this.#valuesOfTerm.get(key)?.get(term) ?? [];
  }

  ids(key: string, value: string): Iterable<number> {
    return this.#entries.get(key)?.get(value) ?? [];
  }

  orderOf(id: number): number {
    return this.#entities.get(id)?.order ?? this.#nextOrder + id;
  }

  /** For a checkpoint: `[id, key, value]`, in the order in which entities came. */
  save(): readonly (readonly [id: number, key: string, value: string])[] {
    return Array.from(this.#entities.keys()).flatMap((id) =>
      this.entriesOf(id).map(({ key, value }): [number, string, string] => [id, key, value]),
    );
  }

  #removeTerms(key: string, value: string): void {
    const terms = this.#valuesOfTerm.get(key);
    for (const term of this.analyzer.terms(value)) {
      const values = terms?.get(term);
      values?.delete(value);
      if (values?.size === 0) {
        terms?.delete(term);
      }
    }
    if (terms?.size === 0) {
      this.#valuesOfTerm.delete(key);
    }
  }
}
