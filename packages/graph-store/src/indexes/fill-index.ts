import { hasBit } from "../memory/bitmap.ts";
import { type GraphBase } from "../tables/graph-base.ts";
import { type PropertyTable } from "../columns/property-table.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { type EntityStates, indexedEntities, indexedValues } from "./indexed-values.ts";
import { hashOfValues, valuesEqual } from "./value-key.ts";
import { type FullTextIndex } from "./fulltext/full-text-index.ts";
import { type ValueIndex } from "./value-index.ts";

/** Entities between two turns for other work. */
const CHUNK = 20_000;

/** Two entities that a unique index cannot both hold. */
export interface Duplicate {
  readonly first: number;
  readonly second: number;
  readonly values: readonly PropertyValue[];
}

/**
 * Fills an index with all that a state of the graph has, other work having its turn in between. Nobody may write
 * meanwhile.
 *
 * @returns  for a unique index the first two alike, if there are any
 */
export async function fillIndex(index: ValueIndex, states: EntityStates): Promise<Duplicate | undefined> {
  let left = CHUNK;
  for (const { id, values } of indexedEntities(states, index.definition.entity, index.ids)) {
    const other = index.unique ? holderOf(index, states, values, id) : undefined;
    if (other !== undefined) {
      const first = Math.min(other, id);
      const shown = indexedValues(states, index.definition.entity, index.ids, first) ?? values;
      return { first, second: Math.max(other, id), values: shown };
    }
    index.add(id, values);
    left -= 1;
    if (left === 0) {
      left = CHUNK;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }
  return undefined;
}

/** The same for words. */
export async function fillTexts(index: FullTextIndex, states: EntityStates): Promise<void> {
  let left = CHUNK;
  for (const id of index.candidates(states)) {
    index.update(id, states);
    left -= 1;
    if (left === 0) {
      left = CHUNK;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }
}

/** Who else has the values in this state. */
export function holderOf(
  index: ValueIndex,
  states: EntityStates,
  values: readonly PropertyValue[],
  except: number,
): number | undefined {
  const candidates: number[] = [];
  index.collectEqual(values, candidates);
  return candidates.find((id) => id !== except && hasValues(index, states, id, values));
}

export function hasValues(
  index: ValueIndex,
  states: EntityStates,
  id: number,
  values: readonly PropertyValue[],
): boolean {
  const own = indexedValues(states, index.definition.entity, index.ids, id);
  return own !== undefined && own.every((value, at) => valuesEqual(value, values[at] as PropertyValue));
}

/** Fills an index from base arrays alone, at the start of a store: hashes come from the columns, no value is made. */
export function fillFromBase(index: ValueIndex, base: GraphBase): void {
  const { token, keys } = index.ids;
  if (index.definition.entity === "node") {
    const labelled = base.nodes.labelBitmap(token);
    if (labelled !== undefined) {
      enterAll(index, base.nodeProperties, base.nodes.idLimit, keys, (node) => hasBit(labelled, node));
    }
  } else {
    const { types, idLimit } = base.relationships;
    enterAll(index, base.relationshipProperties, idLimit, keys, (relationship) => types[relationship] === token);
  }
}

function enterAll(
  index: ValueIndex,
  properties: PropertyTable,
  idLimit: number,
  keys: readonly number[],
  isOfToken: (id: number) => boolean,
): void {
  const [single] = keys;
  const column = keys.length === 1 && single !== undefined ? properties.column(single) : undefined;
  for (let id = 0; id < idLimit; id++) {
    if (!isOfToken(id)) {
      continue;
    }
    const hash = keys.length === 1 ? column?.hashOf(id) : hashOfAll(properties, id, keys);
    if (hash !== undefined) {
      index.addHash(id, hash);
    }
  }
}

function hashOfAll(properties: PropertyTable, id: number, keys: readonly number[]): number | undefined {
  const values: PropertyValue[] = [];
  for (const key of keys) {
    const value = properties.get(id, key);
    if (value === undefined) {
      return undefined;
    }
    values.push(value);
  }
  return hashOfValues(values);
}
