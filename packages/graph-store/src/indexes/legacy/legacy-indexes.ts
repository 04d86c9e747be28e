import { type EntityKind } from "../../schema/definitions.ts";
import { type ChangeSet } from "../../versions/changes.ts";
import {
  type AutoIndexing,
  autoIndexName,
  EXACT_CONFIG,
  type LegacyChange,
  type LegacyConfig,
} from "./legacy-change.ts";
import { LegacyIndex } from "./legacy-index.ts";

type ByEntity<T> = Record<EntityKind, T>;

/** The committed legacy indexes as a checkpoint keeps them. */
export interface SavedLegacyIndexes {
  readonly indexes: readonly {
    readonly entity: EntityKind;
    readonly name: string;
    readonly config: LegacyConfig;
    readonly entries: readonly (readonly [id: number, key: string, value: string])[];
  }[];
  readonly auto: ByEntity<AutoIndexing>;
}

/** What a commit brings for the legacy indexes: their own changes, and which entities are gone. */
export type LegacyCommit = Pick<ChangeSet, "nodes" | "relationships"> & { readonly legacy: readonly LegacyChange[] };

/**
 * The indexes of the 1.x line, which applications fill themselves, as committed. A reader sees the newest state, whatever
 * the level of its transaction, as it was with the indexes these stand for.
 */
export class LegacyIndexes {
  readonly #indexes: ByEntity<Map<string, LegacyIndex>> = { node: new Map(), relationship: new Map() };
  readonly #auto: ByEntity<AutoIndexing> = { node: NOTHING, relationship: NOTHING };

  static restore(saved: SavedLegacyIndexes | undefined): LegacyIndexes {
    const indexes = new LegacyIndexes();
    for (const { entity, name, config, entries } of saved?.indexes ?? []) {
      const index = new LegacyIndex(config);
      entries.forEach(([id, key, value]) => index.add(id, key, value));
      indexes.#indexes[entity].set(name, index);
    }
    Object.assign(indexes.#auto, saved?.auto);
    return indexes;
  }

  save(): SavedLegacyIndexes {
    const indexes = KINDS.flatMap((entity) =>
      Array.from(this.#indexes[entity], ([name, index]) => ({
        entity,
        name,
        config: index.config,
        entries: index.save(),
      })),
    );
    return { indexes, auto: { ...this.#auto } };
  }

  find(entity: EntityKind, name: string): LegacyIndex | undefined {
    return this.#indexes[entity].get(name);
  }

  all(entity: EntityKind): ReadonlyMap<string, LegacyIndex> {
    return this.#indexes[entity];
  }

  auto(entity: EntityKind): AutoIndexing {
    return this.#auto[entity];
  }

  /** Takes over a commit. Ids are used again, so an entity that is gone leaves every index at once. */
  apply({ legacy, nodes, relationships }: LegacyCommit): void {
    this.#removeDeleted("node", nodes);
    this.#removeDeleted("relationship", relationships);
    for (const change of legacy) {
      this.#applyChange(change);
    }
  }

  #applyChange(change: LegacyChange): void {
    const indexes = this.#indexes[change.entity];
    switch (change.kind) {
      case "create":
        if (!indexes.has(change.index)) {
          indexes.set(change.index, new LegacyIndex(change.config));
        }
        break;
      case "drop":
        indexes.delete(change.index);
        break;
      case "add":
        indexes.get(change.index)?.add(change.id, change.key, change.value);
        break;
      case "remove":
        indexes.get(change.index)?.remove(change.id, change.key, change.value);
        break;
      case "auto":
        this.#auto[change.entity] = change.auto;
        if (change.auto.enabled && !indexes.has(autoIndexName(change.entity))) {
          indexes.set(autoIndexName(change.entity), new LegacyIndex(EXACT_CONFIG));
        }
    }
  }

  #removeDeleted(entity: EntityKind, changes: ReadonlyMap<number, { readonly deleted: boolean }>): void {
    const indexes = this.#indexes[entity];
    if (indexes.size === 0) {
      return;
    }
    for (const [id, { deleted }] of changes) {
      if (deleted) {
        indexes.forEach((index) => index.removeEntity(id));
      }
    }
  }
}

const NOTHING: AutoIndexing = { enabled: false, keys: [] };
const KINDS: readonly EntityKind[] = ["node", "relationship"];
