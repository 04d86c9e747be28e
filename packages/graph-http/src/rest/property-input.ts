import { type PropertyScalar, type PropertyValue } from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";
import { isList, isMap, javaClassOf, type JsonMap, javaText } from "./rest-input.ts";
import { PlainError, propertyValueError, type RestError } from "./rest-error.ts";

/**
 * A JSON value as a property: a scalar, or a list of scalars of one kind. Unlike a statement, these endpoints do not
 * widen integers beside floats (graph-measured).
 *
 * @param body  of the request, told to who mixes kinds in a list
 * @param hasList  whether the property already holds a list, which gives an empty list its type
 * @throws RestError 400 PropertyValueException; PlainError 400 for a list of several kinds
 */
export function propertyFrom(name: string, value: JsonValue, body: Buffer, hasList: () => boolean): PropertyValue {
  if (isList(value)) {
    return listFrom(name, value, body, hasList);
  }
  if (value === null || isMap(value) || javaClassOf(value) === OVERSIZED) {
    throw unsupported(name, value);
  }
  return value;
}

/**
 * All properties of a map, each checked before the first is set.
 *
 * @param present  what they replace: a list there gives an empty list its type
 */
export function propertiesFrom(
  map: JsonMap,
  body: Buffer,
  present: JsonMap = NOTHING,
): ReadonlyMap<string, PropertyValue> {
  const properties = new Map<string, PropertyValue>();
  for (const [name, value] of map) {
    if (name === "") {
      throw unsupported(name, value);
    }
    properties.set(
      name,
      propertyFrom(name, value, body, () => isList(present.get(name))),
    );
  }
  return properties;
}

const NOTHING: JsonMap = new Map();

function listFrom(
  name: string,
  list: readonly JsonValue[],
  body: Buffer,
  hasList: () => boolean,
): readonly PropertyScalar[] {
  if (list.length === 0) {
    if (hasList()) {
      return [];
    }
    throw propertyValueError(
      `Unable to set property '${name}' to an empty array, because, since there are no values of any type in it, and no pre-existing collection to infer type from, it is not possible to determine what type of array to store.`,
    );
  }
  const kinds = new Set(list.filter((element) => element !== null).map(kindOf));
  if (kinds.size > 1) {
    throw new PlainError(400, `Invalid JSON array in POST body: ${body.toString("utf8")}`, "text/plain");
  }
  if (!list.every(isScalar) || kinds.has(OVERSIZED)) {
    throw unsupported(name, list);
  }
  return list;
}

function isScalar(value: JsonValue): value is PropertyScalar & JsonValue {
  return value !== null && !isList(value) && !isMap(value);
}

/** An integer beyond 64 bits. */
const OVERSIZED = "java.math.BigInteger";

/** Integers are of one kind, however large; the model server parts those of 32 bits from the others. */
function kindOf(value: JsonValue): string {
  const name = javaClassOf(value);
  return name === "java.lang.Integer" ? "java.lang.Long" : name;
}

function unsupported(name: string, value: JsonValue): RestError {
  return propertyValueError(`Could not set property "${name}", unsupported type: ${javaText(value)}`);
}
