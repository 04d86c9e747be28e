import { PointValue, type TemporalValue, WholeFloat } from "@trefoil/graph-store";
import { type Mode } from "@trefoil/cypher";
import { refuseOversized } from "./arithmetic.ts";
import { NodeValue, PathValue, RelationshipValue, type Value } from "./value.ts";
import { temporalText } from "./temporal/temporal-text.ts";
import { isList, isMap, kindOf } from "./value-kind.ts";

/** What a `Map` or `Set` tells apart as DISTINCT and grouping do. */
export type EquivalenceKey = null | boolean | number | bigint | string;

/** Begins every key that is made up, so that none equals a string's own key. */
const MARK = "\u0000";

/**
 * A key that two values share exactly when DISTINCT, grouping and UNION take them for one: null is equivalent to null,
 * NaN to NaN and, in modern mode, 1 to 1.0. In 2.3 an INTEGER and a FLOAT are two, except inside maps.
 *
 * Costs nothing for numbers, booleans and nearly all strings; lists, maps and paths are written out.
 */
export function equivalenceKey(value: Value, mode: Mode): EquivalenceKey {
  switch (typeof value) {
    case "string":
      return value.startsWith(MARK) ? `${MARK}s${value}` : value;
    case "number":
    case "boolean":
      return value;
    case "bigint":
      refuseOversized(value);
      return mode === "modern" ? modernBigIntKey(value) : value;
    default:
      return value === null ? null : objectKey(value, mode);
  }
}

/** One key for several values, as grouping by several expressions and DISTINCT over whole rows need it. */
export function equivalenceKeyOfRow(values: readonly Value[], mode: Mode): EquivalenceKey {
  const [first] = values;
  return values.length === 1 && first !== undefined ? equivalenceKey(first, mode) : MARK + writeAll(values, mode);
}

/** Beyond 2^53 an INTEGER shares its key with the FLOAT of the same mathematical value, if there is one. */
function modernBigIntKey(value: bigint): EquivalenceKey {
  const double = Number(value);
  return BigInt(double) === value ? double : value;
}

function objectKey(value: Exclude<Value, null | string | number | boolean | bigint>, mode: Mode): EquivalenceKey {
  if (value instanceof WholeFloat) {
    return mode === "modern" ? value.value : `${MARK}f${value.value}`;
  }
  if (value instanceof NodeValue) {
    return `${MARK}N${value.id}`;
  }
  if (value instanceof RelationshipValue) {
    return `${MARK}R${value.id}`;
  }
  if (value instanceof PathValue) {
    return `${MARK}P${value.nodes[0] ?? ""}:${value.relationships.join(",")}`;
  }
  if (isList(value)) {
    return `${MARK}[${writeAll(value, mode)}`;
  }
  if (isMap(value)) {
    return `${MARK}{${writeMap(value)}`;
  }
  return value instanceof PointValue
    ? `${MARK}p${value.system}:${value.coordinates.join(",")}`
    : `${MARK}${temporalKey(value)}`;
}

/** Times at different offsets are different values, so their text tells all of them apart; types differ by a letter. */
function temporalKey(value: TemporalValue): string {
  return `${kindOf(value)} ${temporalText(value)}`;
}

function writeAll(values: readonly Value[], mode: Mode): string {
  let text = "";
  for (const value of values) {
    text += writeKey(equivalenceKey(value, mode));
  }
  return text;
}

function writeMap(map: ReadonlyMap<string, Value>): string {
  return [...map.keys()]
    .sort()
    .map((key) => writeKey(key) + writeKey(equivalenceKey(map.get(key) ?? null, "modern")))
    .join("");
}

/** Self-delimiting, so that keys written one after the other stay unambiguous. */
function writeKey(key: EquivalenceKey): string {
  switch (typeof key) {
    case "string":
      return `s${key.length}:${key}`;
    case "number":
      return `${key === 0 ? 0 : key};`;
    case "bigint":
      return `${key}n;`;
    case "boolean":
      return key ? "t" : "f";
    default:
      return "_";
  }
}
