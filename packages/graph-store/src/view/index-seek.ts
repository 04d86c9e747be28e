import { hasToken, indexedValues } from "../indexes/indexed-values.ts";
import { familyOf, orderKeyOf, type ValueRange } from "../indexes/order-key.ts";
import { type IndexedIds, type ValueIndex } from "../indexes/value-index.ts";
import { valuesEqual } from "../indexes/value-key.ts";
import { type IdCursor, type ReadView } from "../read-view.ts";
import { type EntityKind } from "../schema/definitions.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { type VersionStore } from "../versions/version-store.ts";

/** Who asks: a view of one epoch and the transaction it belongs to. */
export interface Seeker {
  readonly view: ReadView;
  readonly epoch: number;
  readonly versions: VersionStore;
  readonly own: OwnEntries;
}

/** What a transaction itself has written that belongs into an index. */
export interface OwnEntries {
  collectOwn(index: ValueIndex, values: readonly PropertyValue[] | undefined, into: number[]): boolean;
}

/** See {@link ReadView.entitiesWithValues}. */
export function seekValues(
  seeker: Seeker,
  entity: EntityKind,
  ids: IndexedIds,
  values: readonly PropertyValue[],
): IdCursor {
  const { view } = seeker;
  const isMatch = (id: number): boolean => {
    const own = indexedValues(view, entity, ids, id);
    return own !== undefined && own.every((value, at) => valuesEqual(value, values[at] as PropertyValue));
  };
  const index = usableIndex(seeker, entity, ids);
  if (index === undefined) {
    return new FilteredCursor(scan(view, entity, ids.token), isMatch);
  }
  const inOrder = index.ids.keys.map((key) => values[ids.keys.indexOf(key)] as PropertyValue);
  const candidates: number[] = [];
  index.collectEqual(inOrder, candidates);
  const hasOwn = seeker.own.collectOwn(index, inOrder, candidates);
  return new CandidateCursor(hasOwn ? ascending(candidates) : candidates, isMatch);
}

/** See {@link ReadView.entitiesInRange}. */
export function seekRange(
  seeker: Seeker,
  entity: EntityKind,
  ids: IndexedIds,
  range: ValueRange,
  all: boolean,
): IdCursor {
  const family = familyOf(range);
  const index = usableIndex(seeker, entity, ids);
  if (family === undefined || index === undefined || !index.isOrdered) {
    return all ? seekProperties(seeker, entity, ids) : scanFamily(seeker, entity, ids, range);
  }
  const states = (): ReturnType<VersionStore["statesIn"]> => seeker.versions.statesIn(index);
  if (all && !index.holdsOnly(family, states)) {
    return seekProperties(seeker, entity, ids);
  }
  const candidates: number[] = [];
  index.collectRange(range, family, states, candidates);
  seeker.own.collectOwn(index, undefined, candidates);
  return new CandidateCursor(ascending(candidates), (id) => indexedValues(seeker.view, entity, ids, id) !== undefined);
}

/** See {@link ReadView.entitiesWithProperties}. */
export function seekProperties(seeker: Seeker, entity: EntityKind, ids: IndexedIds): IdCursor {
  const isMatch = (id: number): boolean => indexedValues(seeker.view, entity, ids, id) !== undefined;
  const index = usableIndex(seeker, entity, ids);
  if (index === undefined) {
    return new FilteredCursor(scan(seeker.view, entity, ids.token), isMatch);
  }
  const candidates: number[] = [];
  index.collectAll(candidates);
  seeker.own.collectOwn(index, undefined, candidates);
  return new CandidateCursor(ascending(candidates), isMatch);
}

function usableIndex(
  { versions, epoch }: Seeker,
  entity: EntityKind,
  { token, keys }: IndexedIds,
): ValueIndex | undefined {
  const index = versions.catalog.find(entity, token, keys);
  return index !== undefined && index.validFrom <= epoch ? index : undefined;
}

function scanFamily(seeker: Seeker, entity: EntityKind, ids: IndexedIds, range: ValueRange): IdCursor {
  const family = familyOf(range);
  const isMatch = (id: number): boolean => {
    const [value] = indexedValues(seeker.view, entity, ids, id) ?? [];
    return value !== undefined && (family === undefined || orderKeyOf(value)?.family === family);
  };
  return new FilteredCursor(scan(seeker.view, entity, ids.token), isMatch);
}

function scan(view: ReadView, entity: EntityKind, token: number): IdCursor {
  return entity === "node"
    ? view.nodesWithLabel(token)
    : new FilteredCursor(view.allRelationships(), (id) => hasToken(view, entity, token, id));
}

function ascending(ids: number[]): number[] {
  return ids.sort((left, right) => left - right);
}

/** Candidates in ascending order, each at most once, those that are not what was asked for left out. */
class CandidateCursor implements IdCursor {
  readonly #ids: readonly number[];
  readonly #isMatch: (id: number) => boolean;
  #at = 0;
  #last = -1;

  constructor(ids: readonly number[], isMatch: (id: number) => boolean) {
    this.#ids = ids;
    this.#isMatch = isMatch;
  }

  next(): number {
    while (this.#at < this.#ids.length) {
      const id = this.#ids[this.#at++] as number;
      if (id !== this.#last) {
        this.#last = id;
        if (this.#isMatch(id)) {
          return id;
        }
      }
    }
    return -1;
  }
}

class FilteredCursor implements IdCursor {
  readonly #source: IdCursor;
  readonly #isMatch: (id: number) => boolean;

  constructor(source: IdCursor, isMatch: (id: number) => boolean) {
    this.#source = source;
    this.#isMatch = isMatch;
  }

  next(): number {
    for (let id = this.#source.next(); id >= 0; id = this.#source.next()) {
      if (this.#isMatch(id)) {
        return id;
      }
    }
    return -1;
  }
}
