import { type IdCursor, PointValue, type PropertyValue, type ReadView, WholeFloat } from "@trefoil/graph-store";
import { type Mode } from "@trefoil/cypher";
import { refuseOversized } from "../values/arithmetic.ts";
import { type Value } from "../values/value.ts";
import { isEntity, isList, isTemporal } from "../values/value-kind.ts";

/** An index over nodes as generated code names it, by ids of tokens; -1 where a name is unknown. */
export interface SoughtIndex {
  readonly label: number;
  readonly keys: readonly number[];
}

const NOTHING: IdCursor = { next: () => -1 };

/** Nodes whose properties equal `values`; null equals nothing. */
export function seekNodes(
  view: ReadView,
  { label, keys }: SoughtIndex,
  values: readonly Value[],
  mode: Mode,
): IdCursor {
  if (!isKnown(label, keys)) {
    return NOTHING;
  }
  if (mode === "2.3" && values.some(isEntity)) {
    // Comparing with an entity is an error in 2.3: the filter behind finds it where there is something to compare.
    return view.entitiesWithProperties("node", label, keys);
  }
  const stored: PropertyValue[] = [];
  for (const value of values) {
    const comparable = comparableValue(value);
    if (comparable === undefined) {
      return NOTHING;
    }
    stored.push(comparable);
  }
  return view.entitiesWithValues("node", label, keys, stored);
}

/** Nodes whose property is in `list`, each once; the filter behind judges what is no list. */
export function seekAnyNode(view: ReadView, { label, keys }: SoughtIndex, list: Value, mode: Mode): IdCursor {
  if (label < 0) {
    return NOTHING;
  }
  if (!isList(list) || (mode === "2.3" && list.some(isEntity))) {
    return view.nodesWithLabel(label);
  }
  if (!isKnown(label, keys)) {
    return NOTHING;
  }
  const found = new Set<number>();
  for (const value of list) {
    const comparable = comparableValue(value);
    const cursor = comparable === undefined ? NOTHING : view.entitiesWithValues("node", label, keys, [comparable]);
    for (let id = cursor.next(); id >= 0; id = cursor.next()) {
      found.add(id);
    }
  }
  return over([...found].toSorted((left, right) => left - right));
}

/**
 * Nodes whose property may lie between two values; `undefined` leaves that end open. The filter behind judges them.
 *
 * @param all  2.3: also those that don't compare with the ends, which is an error
 */
export function seekNodesBetween(
  view: ReadView,
  { label, keys }: SoughtIndex,
  low: Value | undefined,
  high: Value | undefined,
  all: boolean,
): IdCursor {
  const [key] = keys;
  if (key === undefined || !isKnown(label, keys) || low === null || high === null) {
    return NOTHING;
  }
  const ends = { low: comparableEnd(low), high: comparableEnd(high) };
  if (ends.low === null || ends.high === null) {
    return all ? view.entitiesWithProperties("node", label, keys) : NOTHING;
  }
  return view.entitiesInRange("node", label, key, { kind: "between", low: ends.low, high: ends.high }, all);
}

/** Nodes whose property is a text that begins so. */
export function seekNodesWithPrefix(view: ReadView, { label, keys }: SoughtIndex, prefix: Value): IdCursor {
  const [key] = keys;
  if (key === undefined || !isKnown(label, keys) || typeof prefix !== "string") {
    return NOTHING;
  }
  return view.entitiesInRange("node", label, key, { kind: "prefix", prefix }, false);
}

/** Nodes that have the properties. */
export function seekNodesWithProperties(view: ReadView, { label, keys }: SoughtIndex): IdCursor {
  return isKnown(label, keys) ? view.entitiesWithProperties("node", label, keys) : NOTHING;
}

function isKnown(label: number, keys: readonly number[]): boolean {
  return label >= 0 && keys.every((key) => key >= 0);
}

/** An end of a range: `undefined` when open, `null` when nothing stored compares with it. */
function comparableEnd(end: Value | undefined): PropertyValue | null | undefined {
  return end === undefined ? undefined : (comparableValue(end) ?? null);
}

/** The value as a stored one could equal it; `undefined` when none can: null, maps, entities, lists with any of these. */
function comparableValue(value: Value): PropertyValue | undefined {
  if (isList(value)) {
    const elements = value.map((element) => (isList(element) ? undefined : comparableScalar(element)));
    return elements.every((element) => element !== undefined) ? elements : undefined;
  }
  return comparableScalar(value);
}

function comparableScalar(value: Value): Exclude<PropertyValue, readonly unknown[]> | undefined {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return value;
    case "bigint":
      refuseOversized(value);
      return value;
    default:
      return value instanceof WholeFloat || value instanceof PointValue || (value !== null && isTemporal(value))
        ? value
        : undefined;
  }
}

function over(ids: readonly number[]): IdCursor {
  let at = 0;
  return { next: () => ids[at++] ?? -1 };
}
