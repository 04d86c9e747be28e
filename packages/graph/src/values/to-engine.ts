import { isTemporal, NodeValue, PathValue, RelationshipValue, type Value } from "@trefoil/graph-engine";
import { DateTimeValue, integerOf, PointValue, WholeFloat } from "@trefoil/graph-store";
import { type GraphParameter, type GraphParameters, Node, Path, Relationship } from "./graph-value.ts";

/** @throws TypeError  naming the parameter, for what has no counterpart in the language */
export function parametersToEngine(parameters: GraphParameters): ReadonlyMap<string, Value> {
  return new Map(
    Object.entries(parameters).map(([name, value]) => {
      try {
        return [name, toEngine(value)];
      } catch (cause) {
        throw new TypeError(`the parameter ${name}: ${cause instanceof Error ? cause.message : "no value"}`, { cause });
      }
    }),
  );
}

/** A value of JavaScript for the engine. @throws TypeError */
export function toEngine(value: GraphParameter): Value {
  switch (typeof value) {
    case "undefined":
      return null;
    case "boolean":
    case "string":
    case "number":
      return value;
    case "bigint":
      if (BigInt.asIntN(64, value) !== value) {
        throw new TypeError(`${value} does not fit into 64 bits`);
      }
      return integerOf(value);
    case "object":
      return value === null ? null : objectToEngine(value);
    default:
      throw new TypeError(`a ${typeof value} is no value of the language`);
  }
}

const MS_PER_DAY = 86_400_000;

function objectToEngine(value: Extract<GraphParameter, object>): Value {
  if (value instanceof WholeFloat || value instanceof PointValue || isTemporal(value as Value)) {
    return value as Value;
  }
  if (value instanceof Node) {
    return new NodeValue(value.id);
  }
  if (value instanceof Relationship) {
    return new RelationshipValue(value.id);
  }
  if (value instanceof Path) {
    return new PathValue(
      value.nodes.map(({ id }) => id),
      value.relationships.map(({ id }) => id),
    );
  }
  if (value instanceof Date) {
    return dateTimeOf(value);
  }
  if (Array.isArray(value)) {
    return Array.from(value, (inner: GraphParameter) => toEngine(inner)); // where nothing is, too
  }
  const tag = Object.prototype.toString.call(value);
  if (tag !== "[object Object]" && tag !== "[object Map]") {
    // A Set, bytes, an Error: as maps they would be empty, or something else than what was meant.
    throw new TypeError(`${tag.slice("[object ".length, -1)} is no value of the language`);
  }
  const entries = value instanceof Map ? (value as ReadonlyMap<string, GraphParameter>) : Object.entries(value);
  return new Map(Array.from(entries, ([name, inner]) => [String(name), toEngine(inner as GraphParameter)]));
}

function dateTimeOf(date: Date): DateTimeValue {
  const ms = date.getTime();
  if (Number.isNaN(ms)) {
    throw new TypeError("an invalid Date");
  }
  const epochDay = Math.floor(ms / MS_PER_DAY);
  return new DateTimeValue(epochDay, (ms - epochDay * MS_PER_DAY) * 1e6, 0);
}
