import { assert } from "@trefoil/base";
import { hashText } from "../../columns/text.ts";
import { StoreError } from "../../errors.ts";
import { type EntityKind } from "../../schema/definitions.ts";
import type { autoIndexChanges } from "./auto-index.ts";
import {
  type AutoIndexing,
  autoIndexName,
  type LegacyChange,
  type LegacyConfig,
  type LegacyEntryChange,
} from "./legacy-change.ts";
import { addEntry, type EntryTable, type LegacyEntries } from "./legacy-entries.ts";
import { type Analyzer, analyzerOf } from "./analyzer.ts";
import { type LegacyIndexes } from "./legacy-indexes.ts";
import { parseLuceneQuery } from "./lucene-query.ts";
import { type LegacyHit, runLuceneQuery } from "./run-query.ts";

/** The legacy indexes as one transaction sees and changes them. Who is found may be gone: readers look. */
export interface LegacyIndexAccess {
  /** Names and what the indexes were made with. */
  list(entity: EntityKind): ReadonlyMap<string, LegacyConfig>;
  create(entity: EntityKind, index: string, config: LegacyConfig): void;
  drop(entity: EntityKind, index: string): void;
  add(entity: EntityKind, index: string, id: number, key: string, value: string): void;
  /** Without a key or a value: under any. */
  remove(entity: EntityKind, index: string, id: number, key?: string, value?: string): void;
  /** Entities under exactly this key and value, in the order of the index. @throws StoreError  Schema.NoSuchIndex */
  get(entity: EntityKind, index: string, key: string, value: string): readonly number[];
  /**
   * @param defaultKey  of terms that name none
   * @throws StoreError  Schema.NoSuchIndex
   * @throws LuceneSyntaxError
   */
  query(entity: EntityKind, index: string, query: string, defaultKey?: string): readonly LegacyHit[];
  auto(entity: EntityKind): AutoIndexing;
  setAuto(entity: EntityKind, auto: AutoIndexing): void;
}

/** What a transaction lends its writer. */
export interface LegacyOwner {
  readonly committed: LegacyIndexes;
  /** The transaction's own changes, in order; only added to through `record`. */
  readonly changes: () => readonly LegacyChange[];
  readonly record: (change: LegacyChange) => void;
  /** What automatic indexes do about the properties it has written. */
  readonly automatic: () => ReturnType<typeof autoIndexChanges>;
  /** Told when committed entries are looked at. */
  readonly onRead: () => void;
}

/** A number for the lock on a key and value that is to be there once only. */
export function legacyEntryHash(entity: EntityKind, index: string, key: string, value: string): number {
  return hashText(JSON.stringify([entity, index, key, value]));
}

export class LegacyWriter implements LegacyIndexAccess {
  readonly #owner: LegacyOwner;

  constructor(owner: LegacyOwner) {
    this.#owner = owner;
  }

  list(entity: EntityKind): ReadonlyMap<string, LegacyConfig> {
    const { committed, changes } = this.#owner;
    const configs = new Map(Array.from(committed.all(entity), ([name, { config }]) => [name, config]));
    for (const change of changes()) {
      if (change.entity === entity && change.kind === "create" && !configs.has(change.index)) {
        configs.set(change.index, change.config);
      } else if (change.entity === entity && change.kind === "drop") {
        configs.delete(change.index);
      }
    }
    return configs;
  }

  create(entity: EntityKind, index: string, config: LegacyConfig): void {
    this.#owner.record({ kind: "create", entity, index, config });
  }

  drop(entity: EntityKind, index: string): void {
    this.#owner.record({ kind: "drop", entity, index });
  }

  add(entity: EntityKind, index: string, id: number, key: string, value: string): void {
    assert(this.list(entity).has(index), "the index is there before anything is put in");
    this.#owner.record({ kind: "add", entity, index, id, key, value });
  }

  remove(entity: EntityKind, index: string, id: number, key?: string, value?: string): void {
    for (const entry of this.#entries(entity, index).entriesOf(id)) {
      if ((key === undefined || entry.key === key) && (value === undefined || entry.value === value)) {
        this.#owner.record({ kind: "remove", entity, index, id, ...entry });
      }
    }
  }

  get(entity: EntityKind, index: string, key: string, value: string): readonly number[] {
    const entries = this.#entries(entity, index);
    return [...entries.ids(key, value)].sort((left, right) => entries.orderOf(left) - entries.orderOf(right));
  }

  query(entity: EntityKind, index: string, query: string, defaultKey?: string): readonly LegacyHit[] {
    const entries = this.#entries(entity, index);
    return runLuceneQuery(parseLuceneQuery(query, defaultKey), entries, entries.analyzer);
  }

  auto(entity: EntityKind): AutoIndexing {
    const own = this.#owner.changes().findLast((change) => change.kind === "auto" && change.entity === entity);
    return own?.kind === "auto" ? own.auto : this.#owner.committed.auto(entity);
  }

  setAuto(entity: EntityKind, auto: AutoIndexing): void {
    this.#owner.record({ kind: "auto", entity, auto });
  }

  #entries(entity: EntityKind, index: string): OwnEntries {
    this.#owner.onRead();
    const config = this.list(entity).get(index);
    if (config === undefined) {
      throw new StoreError("ClientError.Schema.NoSuchIndex", `Index \`${index}\` does not exist`);
    }
    const { committed, changes, automatic } = this.#owner;
    const own: readonly LegacyChange[] = index === autoIndexName(entity) ? [...changes(), ...automatic()] : changes();
    const mine = own.filter((change) => change.entity === entity && "index" in change && change.index === index);
    return new OwnEntries(committed.find(entity, index), mine, analyzerOf(config));
  }
}

/** Committed entries with a transaction's own changes on top. */
class OwnEntries implements LegacyEntries {
  readonly analyzer: Analyzer;
  readonly #committed: ReturnType<LegacyIndexes["find"]>;
  readonly #added: EntryTable = new Map();
  readonly #removed: EntryTable = new Map();

  constructor(committed: ReturnType<LegacyIndexes["find"]>, changes: readonly LegacyChange[], analyzer: Analyzer) {
    this.analyzer = analyzer;
    const lastDrop = changes.findLastIndex(({ kind }) => kind === "drop");
    this.#committed = lastDrop === -1 ? committed : undefined;
    for (const change of changes.slice(lastDrop + 1)) {
      if (change.kind === "add" || change.kind === "remove") {
        this.#put(change);
      }
    }
  }

  get size(): number {
    return (this.#committed?.size ?? 0) + this.#added.size;
  }

  entriesOf(id: number): readonly { readonly key: string; readonly value: string }[] {
    const kept = (this.#committed?.entriesOf(id) ?? []).filter(
      ({ key, value }) => this.#removed.get(key)?.get(value)?.has(id) !== true,
    );
    const added = Array.from(this.#added).flatMap(([key, values]) =>
      Array.from(values).flatMap(([value, ids]) => (ids.has(id) ? [{ key, value }] : [])),
    );
    return [...kept, ...added];
  }

  *keys(): Iterable<string> {
    yield* new Set([...(this.#committed?.keys() ?? []), ...this.#added.keys()]);
  }

  *terms(key: string): Iterable<string> {
    yield* this.#committed?.terms(key) ?? [];
    for (const value of this.#added.get(key)?.keys() ?? []) {
      yield* this.analyzer.terms(value);
    }
  }

  *valuesOfTerm(key: string, term: string): Iterable<string> {
    const committed = new Set(this.#committed?.valuesOfTerm(key, term) ?? []);
    yield* committed;
    for (const value of this.#added.get(key)?.keys() ?? []) {
      if (!committed.has(value) && this.analyzer.terms(value).includes(term)) {
        yield value;
      }
    }
  }

  *ids(key: string, value: string): Iterable<number> {
    const removed = this.#removed.get(key)?.get(value);
    const added = this.#added.get(key)?.get(value);
    for (const id of this.#committed?.ids(key, value) ?? []) {
      if (removed?.has(id) !== true && added?.has(id) !== true) {
        yield id;
      }
    }
    yield* added ?? [];
  }

  orderOf(id: number): number {
    return this.#committed?.orderOf(id) ?? id;
  }

  #put({ kind, key, value, id }: LegacyEntryChange): void {
    const [to, from] = kind === "add" ? [this.#added, this.#removed] : [this.#removed, this.#added];
    from.get(key)?.get(value)?.delete(id);
    addEntry(to, key, value, id);
  }
}
