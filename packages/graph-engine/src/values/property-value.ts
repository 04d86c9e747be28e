import { PointValue, WholeFloat, floatOf, type PropertyValue } from "@trefoil/graph-store";
import { typeError } from "./query-errors.ts";
import { type ListValue, type Value } from "./value.ts";
import { isList, isNumber, isTemporal, toDouble, type ValueKind, kindOf } from "./value-kind.ts";

type PropertyScalar = Exclude<PropertyValue, readonly unknown[]>;

const NOT_STORABLE = "Property values can only be of primitive types or arrays thereof";

/**
 * What a value becomes as a property: scalars as they are, lists of scalars of one type; INTEGERs among FLOATs are
 * widened. `undefined` for null, which removes the property.
 *
 * @throws InvalidType (TCK: InvalidPropertyType) for maps, entities, paths, and lists of anything else
 * @source cypher.md §4.4, graph-measured.md
 */
export function toPropertyValue(value: Value): PropertyValue | undefined {
  if (value === null) {
    return undefined;
  }
  return isList(value) ? toPropertyList(value) : toScalar(value);
}

function toPropertyList(list: ListValue): readonly PropertyScalar[] {
  const [first] = list;
  if (first === null) {
    throw invalid(NOT_STORABLE);
  }
  const scalars = list.map((element) => {
    if (element === null) {
      throw invalid("Collections containing null values can not be stored in properties.");
    }
    return toScalar(element);
  });
  const kinds = new Set(scalars.map(kindOf));
  if (kinds.size <= 1) {
    return scalars;
  }
  if ([...kinds].every(isNumeric)) {
    return scalars.map(widen);
  }
  throw invalid("Collections containing mixed types can not be stored in properties.");
}

function toScalar(value: NonNullable<Value>): PropertyScalar {
  switch (typeof value) {
    case "string":
    case "number":
    case "bigint":
    case "boolean":
      return value;
    default:
      if (value instanceof WholeFloat || value instanceof PointValue || isTemporal(value)) {
        return value;
      }
      throw invalid(NOT_STORABLE);
  }
}

function isNumeric(kind: ValueKind): boolean {
  return kind === "integer" || kind === "float";
}

function widen(value: PropertyScalar): PropertyScalar {
  return isNumber(value) ? floatOf(toDouble(value)) : value;
}

function invalid(message: string): Error {
  return typeError(message, "InvalidPropertyType");
}
