import { PointValue, WholeFloat, floatOf, type PropertyValue } from "@trefoil/graph-store";
import { type Mode } from "@trefoil/cypher";
import { executionFailure, typeError } from "./query-errors.ts";
import { type ListValue, NodeValue, PathValue, type Value } from "./value.ts";
import { isEntity, isList, isMap, isNumber, isTemporal, toDouble, type ValueKind, kindOf } from "./value-kind.ts";

type PropertyScalar = Exclude<PropertyValue, readonly unknown[]>;

const NULLS = "Collections containing null values can not be stored in properties.";
const MIXED = "Collections containing mixed types can not be stored in properties.";
const NOT_STORABLE = "Property values can only be of primitive types or arrays thereof";

/**
 * What a value becomes as a property: scalars as they are, lists of scalars of one type; INTEGERs among FLOATs are
 * widened. `undefined` for null, which removes the property.
 *
 * @throws InvalidType (TCK: InvalidPropertyType) for maps, entities, paths, and lists of anything else
 * @source cypher.md §4.4, graph-measured.md
 */
export function toPropertyValue(value: Value, mode: Mode): PropertyValue | undefined {
  if (value === null) {
    return undefined;
  }
  if (mode === "2.3" && isEntity(value)) {
    const kind = value instanceof NodeValue ? "Node" : "Relationship";
    throw executionFailure(
      `[${kind}[${value.id}]:org.neo4j.kernel.impl.core.${kind}Proxy] is not a supported property value`,
    );
  }
  if (mode === "2.3" && value instanceof PathValue) {
    // A path is a list of what lies on it there.
    throw invalid(value.relationships.length === 0 ? NOT_STORABLE : MIXED);
  }
  return isList(value) ? toPropertyList(value, mode) : toScalar(value);
}

function toPropertyList(list: ListValue, mode: Mode): readonly PropertyScalar[] {
  if (list.length === 1 && list[0] === null) {
    throw invalid(NOT_STORABLE);
  }
  if (mode === "2.3" && list.length > 1) {
    checkCommonType(list);
  }
  const scalars = list.map((element) => {
    if (element === null) {
      throw invalid(NULLS);
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
  throw invalid(MIXED);
}

/** 2.3 looks for the elements' common type, from the first to the last, before it looks at what it is (measured). */
function checkCommonType(list: ListValue): void {
  if (list.some((element) => isMap(element) || isList(element) || isEntity(element) || element instanceof PathValue)) {
    throw invalid(MIXED);
  }
  const [first = null] = list;
  for (const element of list) {
    if (element === null) {
      throw invalid(NULLS);
    }
    const isAlike = kindOf(element) === kindOf(first) || (isNumber(element) && isNumber(first));
    if (!isAlike) {
      throw invalid(MIXED);
    }
  }
}

function toScalar(value: NonNullable<Value>): PropertyScalar {
  switch (typeof value) {
    case "bigint":
      // A parameter of 2.3 mode that may be echoed but not used (rulings, Graph 3).
      if (BigInt.asIntN(64, value) !== value) {
        throw executionFailure(`[${value}:java.math.BigInteger] is not a supported property value`);
      }
      return value;
    case "string":
    case "number":
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
