import { type EntityKind, type SchemaChange } from "../schema/definitions.ts";
import { type Schema } from "../schema/schema.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { type ChangeSet, type NodeChange, type RelationshipChange } from "../versions/changes.ts";
import { type EntityStates, indexedValues, nodeValuesAfter, relationshipValuesAfter } from "./indexed-values.ts";
import { type LegacyIndexes } from "./legacy/legacy-indexes.ts";
import { FullTextIndex } from "./fulltext/full-text-index.ts";
import { type ValueIndex } from "./value-index.ts";
import { valuesEqual } from "./value-key.ts";

/** An entry of a state that is not the newest any more: to be removed when no view can see that state. */
export interface StaleEntry {
  readonly index: ValueIndex;
  readonly id: number;
  readonly values: readonly PropertyValue[];
}

/** An index that is filled and ready to answer. */
export type BuiltIndex = ValueIndex | FullTextIndex;

/** The committed schema and the indexes that go with it, kept up with every commit. */
export class Catalog {
  readonly legacy: LegacyIndexes;
  #schema: Schema;
  #version = 0;
  #nodes: readonly ValueIndex[] = [];
  #relationships: readonly ValueIndex[] = [];
  #texts: readonly FullTextIndex[] = [];

  constructor(schema: Schema, legacy: LegacyIndexes) {
    this.#schema = schema;
    this.legacy = legacy;
  }

  get schema(): Schema {
    return this.#schema;
  }

  /** Another number after every change of the schema. */
  get version(): number {
    return this.#version;
  }

  indexes(entity: EntityKind): readonly ValueIndex[] {
    return entity === "node" ? this.#nodes : this.#relationships;
  }

  /** The index over exactly these properties, in any order. */
  find(entity: EntityKind, token: number, keys: readonly number[]): ValueIndex | undefined {
    return this.indexes(entity).find(
      ({ ids }) =>
        ids.token === token && ids.keys.length === keys.length && ids.keys.every((key) => keys.includes(key)),
    );
  }

  findByName(name: string): ValueIndex | undefined {
    return [...this.#nodes, ...this.#relationships].find(({ definition }) => definition.name === name);
  }

  findText(name: string): FullTextIndex | undefined {
    return this.#texts.find(({ definition }) => definition.name === name);
  }

  /** Makes schema changes visible; `built` has the filled index for each one that is added. */
  apply(changes: readonly SchemaChange[], built: ReadonlyMap<string, BuiltIndex>): void {
    for (const change of changes) {
      this.#schema = this.#schema.after(change);
      if (change.kind === "drop index") {
        this.#removeIndex(change.name);
      } else if (change.kind === "add index") {
        const index = built.get(change.index.name);
        if (index !== undefined) {
          this.addIndex(index);
        }
      }
    }
    if (changes.length > 0) {
      this.#version += 1;
    }
  }

  addIndex(index: BuiltIndex): void {
    this.#removeIndex(index.definition.name);
    if (index instanceof FullTextIndex) {
      this.#texts = [...this.#texts, index];
      return;
    }
    if (index.definition.entity === "node") {
      this.#nodes = [...this.#nodes, index];
    } else {
      this.#relationships = [...this.#relationships, index];
    }
  }

  /**
   * Enters what changes bring, just before they become visible.
   *
   * @param before  the newest committed state
   * @returns       the entries that `before` needed and the changes don't
   */
  enter(changes: ChangeSet, before: EntityStates): readonly StaleEntry[] {
    const stale: StaleEntry[] = [];
    if (this.#nodes.length > 0) {
      for (const change of changes.nodes.values()) {
        this.#enterNode(change, before, stale);
      }
    }
    if (this.#relationships.length > 0) {
      for (const change of changes.relationships.values()) {
        this.#enterRelationship(change, before, stale);
      }
    }
    return stale;
  }

  /** Takes in the texts of what has just become visible. @param newest  the state with the changes */
  enterTexts(changes: ChangeSet, newest: EntityStates): void {
    for (const index of this.#texts) {
      const changed = index.definition.entity === "node" ? changes.nodes : changes.relationships;
      for (const id of changed.keys()) {
        index.update(id, newest);
      }
    }
  }

  get hasTexts(): boolean {
    return this.#texts.length > 0;
  }

  forget(stale: readonly StaleEntry[]): void {
    for (const { index, id, values } of stale) {
      index.remove(id, values);
    }
  }

  #enterNode(change: NodeChange, before: EntityStates, stale: StaleEntry[]): void {
    for (const index of this.#nodes) {
      const { ids } = index;
      const isTouched =
        change.deleted ||
        change.labelsAdded.includes(ids.token) ||
        change.labelsRemoved.includes(ids.token) ||
        ids.keys.some((key) => change.properties.keys.includes(key));
      if (isTouched) {
        const former = change.created ? undefined : indexedValues(before, "node", ids, change.node);
        move(index, change.node, former, nodeValuesAfter(change, ids, before), stale);
      }
    }
  }

  #enterRelationship(change: RelationshipChange, before: EntityStates, stale: StaleEntry[]): void {
    for (const index of this.#relationships) {
      const { ids } = index;
      const isTouched =
        change.type === ids.token && (change.deleted || ids.keys.some((key) => change.properties.keys.includes(key)));
      if (isTouched) {
        const { relationship } = change;
        const former = change.created ? undefined : indexedValues(before, "relationship", ids, relationship);
        move(index, relationship, former, relationshipValuesAfter(change, ids, before), stale);
      }
    }
  }

  #removeIndex(name: string): void {
    this.#nodes = this.#nodes.filter(({ definition }) => definition.name !== name);
    this.#relationships = this.#relationships.filter(({ definition }) => definition.name !== name);
    this.#texts = this.#texts.filter(({ definition }) => definition.name !== name);
  }
}

function move(
  index: ValueIndex,
  id: number,
  former: readonly PropertyValue[] | undefined,
  later: readonly PropertyValue[] | undefined,
  stale: StaleEntry[],
): void {
  const isSame =
    former !== undefined && later !== undefined && former.every((value, at) => valuesEqual(value, later[at] ?? NONE));
  if (isSame) {
    return;
  }
  if (later !== undefined) {
    index.add(id, later);
  }
  if (former !== undefined) {
    stale.push({ index, id, values: former });
  }
}

const NONE: readonly never[] = [];
