import { type NodeChange, type PropertyChanges } from "./changes.ts";

const NOTHING: readonly never[] = [];

/** What a change says of a label; `undefined` when nothing. */
export function labelIn(change: NodeChange, label: number): boolean | undefined {
  if (change.deleted || change.labelsRemoved.includes(label)) {
    return false;
  }
  return change.labelsAdded.includes(label) ? true : undefined;
}

/** A change and the ones before it, of one entity in one layer. */
interface Chained<C> {
  readonly epoch: number;
  readonly older: C | undefined;
}

/** The newest change that who sees commits up to `limit` sees. */
export function newestWithin<C extends Chained<C>>(newest: C | undefined, limit: number): C | undefined {
  let change = newest;
  while (change !== undefined && change.epoch > limit) {
    change = change.older;
  }
  return change;
}

/** Every change that who sees commits up to `limit` sees, newest first: its own, then those of both layers. */
export function allWithin<C extends Chained<C>>(
  own: C | undefined,
  active: C | undefined,
  sealed: C | undefined,
  limit: number,
): readonly C[] {
  if (active === undefined && sealed === undefined) {
    return own === undefined ? NOTHING : [own];
  }
  const changes: C[] = own === undefined ? [] : [own];
  for (const newest of [active, sealed]) {
    for (let change = newestWithin(newest, limit); change !== undefined; change = change.older) {
      changes.push(change);
    }
  }
  return changes;
}

/** The property keys of an entity that has `inBase`, after changes that are told newest first. */
export function keysAfter(
  inBase: readonly number[],
  changes: readonly { readonly deleted: boolean; readonly properties: PropertyChanges }[],
): readonly number[] {
  if (changes.length === 0) {
    return inBase;
  }
  if (changes[0]?.deleted === true) {
    return NOTHING;
  }
  if (changes.every(({ properties }) => properties.keys.length === 0)) {
    return inBase;
  }
  const keys = new Set(inBase);
  for (const { properties } of changes.toReversed()) {
    properties.keys.forEach((key, index) => {
      if (properties.values[index] === undefined) {
        keys.delete(key);
      } else {
        keys.add(key);
      }
    });
  }
  return [...keys].toSorted((a, b) => a - b);
}
