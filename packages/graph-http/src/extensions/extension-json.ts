import { WholeFloat } from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";

/** JSON as JavaScript knows it: objects, and bigint only for integers a number would round. */
export function plainOf(value: JsonValue): unknown {
  if (value instanceof WholeFloat) {
    return value.value;
  }
  if (value instanceof Map) {
    const map = value as ReadonlyMap<string, JsonValue>;
    return Object.fromEntries(Array.from(map, ([name, inner]) => [name, plainOf(inner)]));
  }
  return Array.isArray(value) ? (value as readonly JsonValue[]).map(plainOf) : value;
}

/**
 * What a module answers, as JSON: as `JSON.stringify` has it, but bigint is exact.
 *
 * @throws TypeError  for what JSON cannot say
 */
export function jsonOf(value: unknown): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "number":
    case "bigint":
      return value;
    case "undefined":
      return null;
    case "object":
      return value === null ? null : objectJson(value);
    default:
      throw new TypeError(`a ${typeof value} cannot be answered as JSON`);
  }
}

function objectJson(value: object): JsonValue {
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return jsonOf((value.toJSON as () => unknown)());
  }
  if (Array.isArray(value)) {
    return value.map(jsonOf);
  }
  const entries: Iterable<[unknown, unknown]> =
    value instanceof Map ? (value as ReadonlyMap<unknown, unknown>) : Object.entries(value);
  return new Map(
    Array.from(entries, ([name, inner]): [string, unknown] => [String(name), inner])
      .filter(([, inner]) => inner !== undefined && typeof inner !== "function")
      .map(([name, inner]) => [name, jsonOf(inner)]),
  );
}
