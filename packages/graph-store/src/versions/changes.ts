import { type PropertyValue } from "../values/property-value.ts";

const NONE: readonly never[] = [];

/** Property writes of one entity, newest value per key; `undefined` removes. Few of them, so a scan beats a map. */
export class PropertyChanges {
  #keys: number[] = NONE as never[];
  #values: (PropertyValue | undefined)[] = NONE as never[];

  get keys(): readonly number[] {
    return this.#keys;
  }

  get values(): readonly (PropertyValue | undefined)[] {
    return this.#values;
  }

  /** Where `key` stands in the two arrays, or -1 when it was not written. */
  indexOf(key: number): number {
    return this.#keys.indexOf(key);
  }

  set(key: number, value: PropertyValue | undefined): void {
    const index = this.#keys.indexOf(key);
    if (index >= 0) {
      this.#values[index] = value;
    } else {
      this.#keys = extended(this.#keys, key);
      this.#values = extended(this.#values, value);
    }
  }

  forget(key: number): void {
    const index = this.#keys.indexOf(key);
    this.#keys.splice(index, 1);
    this.#values.splice(index, 1);
  }
}

/**
 * Short lists are copied: one that grows in place keeps room for sixteen more, most never need it. Written out, because
 * that is many times quicker than `concat`.
 */
function extended<T>(list: T[], last: T): T[] {
  switch (list.length) {
    case 0:
      return [last];
    case 1:
      return [list[0] as T, last];
    case 2:
      return [list[0] as T, list[1] as T, last];
    case 3:
      return [list[0] as T, list[1] as T, list[2] as T, last];
    default:
      list.push(last);
      return list;
  }
}

/** The epoch of changes that are not committed yet: later than all that are. */
export const UNCOMMITTED: number = Number.MAX_SAFE_INTEGER;

/** What one transaction did to a node, and below it (`older`) what earlier ones did that is not in the base yet. */
export class NodeChange {
  epoch: number = UNCOMMITTED;
  older: NodeChange | undefined;
  readonly node: number;
  readonly created: boolean;
  /** For a created one, the newest savepoint there was: see `UndoLog.newestEver`. */
  readonly madeAfter: number;
  deleted = false;
  labelsAdded: readonly number[] = NONE;
  labelsRemoved: readonly number[] = NONE;
  readonly properties: PropertyChanges = new PropertyChanges();

  constructor(node: number, created: boolean, madeAfter = 0) {
    this.node = node;
    this.created = created;
    this.madeAfter = madeAfter;
  }
}

/** The same for a relationship; its ends and type never change. */
export class RelationshipChange {
  epoch: number = UNCOMMITTED;
  older: RelationshipChange | undefined;
  readonly relationship: number;
  readonly created: boolean;
  /** As of a node. */
  readonly madeAfter: number;
  deleted = false;
  readonly start: number;
  readonly type: number;
  readonly end: number;
  readonly properties: PropertyChanges = new PropertyChanges();

  constructor(relationship: number, created: boolean, start: number, type: number, end: number, madeAfter = 0) {
    this.relationship = relationship;
    this.madeAfter = madeAfter;
    this.created = created;
    this.start = start;
    this.type = type;
    this.end = end;
  }
}

/** Relationships that came to or went from one node, per direction, as changes that say which and when. */
export class AdjacencyChange {
  readonly outAdded: RelationshipChange[] = [];
  readonly inAdded: RelationshipChange[] = [];
  readonly outRemoved: RelationshipChange[] = [];
  readonly inRemoved: RelationshipChange[] = [];
}

/** Changes by entity: those of one transaction, or the committed ones that are not folded into the base yet. */
export interface ChangeSet {
  readonly nodes: ReadonlyMap<number, NodeChange>;
  readonly relationships: ReadonlyMap<number, RelationshipChange>;
  readonly adjacency: ReadonlyMap<number, AdjacencyChange>;
}
