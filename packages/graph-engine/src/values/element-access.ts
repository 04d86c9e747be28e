import { PointValue } from "@trefoil/graph-store";
import { refuseOversized } from "./arithmetic.ts";
import { type GraphAccess } from "./graph-access.ts";
import { describeJava, qualifiedJavaClassName } from "./legacy-text.ts";
import { type Mode } from "@trefoil/cypher";
import { entityNotFound, typeError } from "./query-errors.ts";
import { describeType } from "./type-of.ts";
import { NodeValue, RelationshipValue, type Value } from "./value.ts";
import { pointComponent } from "./point.ts";
import { componentOf } from "./temporal/temporal-components.ts";
import { isEntity, isInteger, isList, isMap, isNumber, isTemporal, toDouble } from "./value-kind.ts";

/**
 * `container.key`: null when there is no such entry, or no container.
 *
 * @throws InvalidType for what has no entries; modern: EntityNotFound for a deleted entity (2.3 gives null)
 */
export function propertyOf(container: Value, key: string, access: GraphAccess, mode: Mode): Value {
  if (container === null) {
    return null;
  }
  if (isMap(container)) {
    return container.get(key) ?? null;
  }
  if (container instanceof NodeValue) {
    return nodeProperty(container.id, access.tokens.propertyKeys.find(key), access, mode);
  }
  if (container instanceof RelationshipValue) {
    return relationshipProperty(container.id, access.tokens.propertyKeys.find(key), access, mode);
  }
  if (isTemporal(container)) {
    return componentOf(container, key);
  }
  if (container instanceof PointValue) {
    return pointComponent(container, key);
  }
  throw typeError(`Type mismatch: expected a map but was ${describeJava(container)}`);
}

/** The property `key` (a token, or -1 for a name never used) of a node by its id. Errors as {@link propertyOf}. */
export function nodeProperty(node: number, key: number, { view }: GraphAccess, mode: Mode): Value {
  const value = key === -1 ? undefined : view.nodeProperty(node, key);
  if (value === undefined && mode === "modern" && !view.nodeExists(node)) {
    throw entityNotFound(`Node with id ${node} has been deleted in this transaction`);
  }
  return value ?? null;
}

/** The property `key` (a token, or -1) of a relationship by its id. Errors as {@link propertyOf}. */
export function relationshipProperty(relationship: number, key: number, { view }: GraphAccess, mode: Mode): Value {
  const value = key === -1 ? undefined : view.relationshipProperty(relationship, key);
  if (value === undefined && mode === "modern" && !view.relationshipExists(relationship)) {
    throw entityNotFound(`Relationship with id ${relationship} has been deleted in this transaction`);
  }
  return value ?? null;
}

/**
 * `container[index]`: an element of a list (from the end when negative, null when outside), or an entry of a map, node
 * or relationship. null on either side gives null. 2.3 also takes FLOAT indexes, cut to whole ones.
 *
 * @throws InvalidType for other containers and for indexes that don't fit theirs
 */
export function subscript(container: Value, index: Value, access: GraphAccess, mode: Mode): Value {
  if (container === null) {
    return null;
  }
  if (isList(container)) {
    if (index === null) {
      return null;
    }
    const position = listIndex(index, mode);
    return container[position < 0 ? container.length + position : position] ?? null;
  }
  if (hasKeys(container)) {
    return index === null ? null : propertyOf(container, mapKey(index, mode), access, mode);
  }
  if (index === null && mode === "modern") {
    return null;
  }
  throw mode === "2.3"
    ? legacyLookupError(container, index)
    : typeError(`Type mismatch: cannot look up an element of ${describeType(container)}`);
}

function hasKeys(value: NonNullable<Value>): boolean {
  return isMap(value) || isEntity(value) || isTemporal(value) || value instanceof PointValue;
}

/** 2.3's complaint about a value that holds nothing. */
export function legacyLookupError(container: Value, index: Value): Error {
  return typeError(
    `\nElement access is only possible by performing a collection lookup using an integer index,\nor by performing a map lookup using a string key (found: ${describeJava(container)}[${describeJava(index)}])`,
  );
}

/**
 * `list[from..to]`: the elements from `from` up to, not including, `to`; negative bounds count from the end, bounds
 * outside are moved to the ends. `undefined` is a bound that isn't written; null on any side gives null, but 2.3 looks
 * at both bounds before.
 *
 * @throws InvalidType when a bound is no INTEGER, or (modern) the list no list; 2.3 takes a single value for a list
 */
export function slice(list: Value, from: Value | undefined, to: Value | undefined, mode: Mode): Value {
  if (list === null || (mode === "modern" && (from === null || to === null))) {
    return null;
  }
  const start = bound(from, mode);
  const end = bound(to, mode);
  if (start === null || end === null) {
    return null;
  }
  const elements = isList(list) ? list : mode === "2.3" ? [list] : undefined;
  if (elements === undefined) {
    throw typeError(`Type mismatch: expected a list but was ${describeType(list)}`);
  }
  return elements.slice(start, end);
}

function bound(value: Value | undefined, mode: Mode): number | undefined | null {
  return value === undefined || value === null ? value : listIndex(value, mode);
}

function listIndex(index: NonNullable<Value>, mode: Mode): number {
  if (typeof index === "number" && Number.isSafeInteger(index)) {
    return index;
  }
  if (isInteger(index) || (mode === "2.3" && isNumber(index))) {
    refuseOversized(index);
    return Math.trunc(toDouble(index));
  }
  throw mode === "2.3"
    ? legacyCastError(index, "java.lang.Number")
    : typeError(
        `Type mismatch: expected an INTEGER as index of a list but was ${describeType(index)}`,
        "ListElementAccessByNonInteger",
      );
}

function mapKey(index: NonNullable<Value>, mode: Mode): string {
  if (typeof index === "string") {
    return index;
  }
  throw mode === "2.3"
    ? legacyCastError(index, "java.lang.String")
    : typeError(
        `Type mismatch: expected a STRING as key of a map but was ${describeType(index)}`,
        "MapElementAccessByNonString",
      );
}

/** 2.3's complaint about a value of the wrong class. */
export function legacyCastError(value: Value, expected: string): Error {
  return typeError(
    `Expected ${describeJava(value)} to be a ${expected}, but it was a ${qualifiedJavaClassName(value)}`,
  );
}
