import { isIntegerNumber, type PropertyScalar, type PropertyValue, WholeFloat } from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";
import { type JsonMap, isList, isMap, javaText } from "./rest-input.ts";
import { propertyValueError, RestError } from "./rest-error.ts";

/**
 * A JSON value as a property: a scalar, or a list of scalars of one kind. Unlike a statement, these endpoints do not
 * widen integers beside floats (graph-measured).
 *
 * @param hasList  whether the property already holds a list, which gives an empty list its type
 * @throws RestError 400 PropertyValueException
 */
export function propertyFrom(name: string, value: JsonValue, hasList: () => boolean): PropertyValue {
  if (isList(value)) {
    return listFrom(name, value, hasList);
  }
  if (value === null || isMap(value) || kindOf(value) === "oversized") {
    throw unsupported(name, value);
  }
  return value;
}

/** All properties of a map, each checked before the first is set. */
export function propertiesFrom(map: JsonMap): ReadonlyMap<string, PropertyValue> {
  const properties = new Map<string, PropertyValue>();
  for (const [name, value] of map) {
    if (name === "") {
      throw new RestError(400, [
        {
          exception: "PropertyValueException",
          message: "'' is not a valid property name. Only non-null, non-empty strings are allowed.",
        },
      ]);
    }
    properties.set(
      name,
      propertyFrom(name, value, () => false),
    );
  }
  return properties;
}

function listFrom(name: string, list: readonly JsonValue[], hasList: () => boolean): readonly PropertyScalar[] {
  if (list.length === 0) {
    if (hasList()) {
      return [];
    }
    throw propertyValueError(
      `Unable to set property '${name}' to an empty array, because, since there are no values of any type in it, and no pre-existing collection to infer type from, it is not possible to determine what type of array to store.`,
    );
  }
  const scalars: PropertyScalar[] = [];
  let kind: Kind | undefined;
  for (const element of list) {
    if (element === null || isList(element) || isMap(element)) {
      throw unsupported(name, list);
    }
    const elementKind = kindOf(element);
    if (elementKind === "oversized" || (kind !== undefined && kind !== elementKind)) {
      throw unsupported(name, list);
    }
    kind = elementKind;
    scalars.push(element);
  }
  return scalars;
}

type Kind = "boolean" | "string" | "integer" | "float" | "oversized";

function kindOf(value: PropertyScalar): Kind {
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "string":
      return "string";
    case "bigint":
      return BigInt.asIntN(64, value) === value ? "integer" : "oversized";
    case "number":
      return isIntegerNumber(value) ? "integer" : "float";
    default:
      return value instanceof WholeFloat ? "float" : "oversized";
  }
}

function unsupported(name: string, value: JsonValue): RestError {
  return propertyValueError(`Could not set property "${name}", unsupported type: ${javaText(value)}`);
}
