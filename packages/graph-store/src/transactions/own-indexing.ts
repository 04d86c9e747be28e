import { type Catalog } from "../indexes/catalog.ts";
import { indexedValues } from "../indexes/indexed-values.ts";
import { OwnEntrySet } from "../indexes/own-entries.ts";
import { type ValueIndex } from "../indexes/value-index.ts";
import { type EntityKind } from "../schema/definitions.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { type ChangeSet } from "../versions/changes.ts";
import { type KeyOwner, type UniqueKeys } from "./unique-keys.ts";

/** Keeps the index entries of a transaction's own writes, and claims the unique keys among them. */
export class OwnIndexing {
  readonly #owner: KeyOwner & { readonly writes: ChangeSet };
  readonly #catalog: Catalog;
  readonly #keys: UniqueKeys;
  /** Made with the first of them. */
  #entries: OwnEntrySet | undefined;
  /** The version of the schema that the entries were made for. */
  #version: number;

  constructor(owner: KeyOwner & { readonly writes: ChangeSet }, catalog: Catalog, keys: UniqueKeys) {
    this.#owner = owner;
    this.#catalog = catalog;
    this.#keys = keys;
    this.#version = catalog.version;
  }

  /** After a part was committed: there are no writes of its own any more. */
  startAgain(): void {
    this.#entries = undefined;
  }

  propertyWritten(entity: EntityKind, id: number, key: number): void {
    for (const index of this.#catalog.indexes(entity)) {
      if (index.ids.keys.includes(key)) {
        this.#enter(index, id);
      }
    }
  }

  labelAdded(node: number, label: number): void {
    for (const index of this.#catalog.indexes("node")) {
      if (index.ids.token === label) {
        this.#enter(index, node);
      }
    }
  }

  collect(index: ValueIndex, values: readonly PropertyValue[] | undefined, into: number[]): boolean {
    if (this.#version !== this.#catalog.version) {
      this.#enterAll();
    }
    return this.#entries?.collect(index, values, into) ?? false;
  }

  /**
   * Before a commit: what was written under another schema is entered and claimed under the present one.
   *
   * @throws StoreError  `Schema.ConstraintViolation`
   */
  followSchema(): void {
    if (this.#version !== this.#catalog.version) {
      this.#enterAll();
      for (const entity of ["node", "relationship"] as const) {
        for (const index of this.#catalog.indexes(entity)) {
          this.#claimAll(index);
        }
      }
    }
  }

  #enterAll(): void {
    this.#version = this.#catalog.version;
    const entries = new OwnEntrySet();
    this.#entries = entries;
    for (const entity of ["node", "relationship"] as const) {
      for (const index of this.#catalog.indexes(entity)) {
        this.#forEachWritten(index, (id, values) => {
          entries.add(index, id, values);
        });
      }
    }
  }

  #claimAll(index: ValueIndex): void {
    if (index.unique) {
      this.#forEachWritten(index, (id, values) => {
        this.#keys.claim(index, id, values);
      });
    }
  }

  #forEachWritten(index: ValueIndex, visit: (id: number, values: readonly PropertyValue[]) => void): void {
    const { entity } = index.definition;
    const written = entity === "node" ? this.#owner.writes.nodes : this.#owner.writes.relationships;
    const states = this.#owner.newestStates();
    for (const id of written.keys()) {
      const values = indexedValues(states, entity, index.ids, id);
      if (values !== undefined) {
        visit(id, values);
      }
    }
  }

  #enter(index: ValueIndex, id: number): void {
    const values = indexedValues(this.#owner.newestStates(), index.definition.entity, index.ids, id);
    if (values !== undefined) {
      this.#entries ??= new OwnEntrySet();
      this.#entries.add(index, id, values);
      if (index.unique) {
        this.#keys.claim(index, id, values);
      }
    }
  }
}
