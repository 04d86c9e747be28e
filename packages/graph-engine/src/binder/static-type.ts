import { type Mode } from "@trefoil/cypher";

/**
 * What the binder knows about a value before the statement runs. `any` is "not known"; `null` fits everywhere.
 * A number of unknown kind is `number`.
 */
export type StaticType =
  | { readonly kind: "any" | "null" | ScalarTypeKind }
  /** 2.3: known to be of several types, so that nothing that wants one of them takes it. */
  | { readonly kind: "mixed"; readonly numeric: boolean }
  | { readonly kind: "list"; readonly element: StaticType };

export type ScalarTypeKind =
  | "boolean"
  | "integer"
  | "float"
  | "number"
  | "string"
  | "map"
  | "node"
  | "relationship"
  | "path"
  | "point"
  | "date"
  | "time"
  | "local time"
  | "datetime"
  | "local datetime"
  | "duration";

const simple = (kind: "any" | "null" | ScalarTypeKind): StaticType => ({ kind });

export const anyType: StaticType = simple("any");
export const nullType: StaticType = simple("null");
export const booleanType: StaticType = simple("boolean");
export const integerType: StaticType = simple("integer");
export const floatType: StaticType = simple("float");
export const numberType: StaticType = simple("number");
export const stringType: StaticType = simple("string");
export const mapType: StaticType = simple("map");
export const nodeType: StaticType = simple("node");
export const relationshipType: StaticType = simple("relationship");
export const pathType: StaticType = simple("path");
export const listOf = (element: StaticType): StaticType => ({ kind: "list", element });

/** The one type of values that are either: `any` as soon as they differ in more than null. */
export function commonType(left: StaticType, right: StaticType): StaticType {
  if (left.kind === "null") {
    return right;
  }
  if (right.kind === "null" || sameType(left, right)) {
    return left;
  }
  if (left.kind === "list" && right.kind === "list") {
    return listOf(commonType(left.element, right.element));
  }
  return isNumeric(left) && isNumeric(right) && left.kind !== "any" && right.kind !== "any" ? numberType : anyType;
}

/** The one type of all items, `any` when they differ or there are none. */
export function elementTypeOf(items: readonly { readonly type: StaticType }[]): StaticType {
  return items.length === 0
    ? anyType
    : items.map((item) => item.type).reduce((common, type) => commonType(common, type), nullType);
}

export function sameType(left: StaticType, right: StaticType): boolean {
  return left.kind === "list" && right.kind === "list"
    ? sameType(left.element, right.element)
    : left.kind === right.kind;
}

/**
 * The type of the elements of a list that is written out. 2.3 gives elements of different types the one type above
 * them, `Number` or `Any`, and takes it for what it says (golden "expressions").
 */
export function literalElementType(items: readonly { readonly type: StaticType }[], mode: Mode): StaticType {
  return mode === "2.3" && items.length > 0
    ? items.map((item) => item.type).reduce(joinedType, nullType)
    : elementTypeOf(items);
}

function joinedType(left: StaticType, right: StaticType): StaticType {
  if (left.kind === "list" && right.kind === "list") {
    return listOf(joinedType(left.element, right.element));
  }
  if (left.kind === "any" || right.kind === "any") {
    return anyType;
  }
  if (left.kind === "null" || right.kind === "null" || sameType(left, right)) {
    return left.kind === "null" ? right : left;
  }
  const isNumber = ({ kind }: StaticType): boolean => kind === "integer" || kind === "float" || kind === "number";
  const numeric = [left, right].every((type) => isNumber(type) || (type.kind === "mixed" && type.numeric));
  return { kind: "mixed", numeric };
}

/** Whether a value of this type may be one of `kinds`; unknown types may be anything. */
export function mayBe(type: StaticType, ...kinds: readonly (ScalarTypeKind | "list")[]): boolean {
  if (type.kind === "any" || type.kind === "null") {
    return true;
  }
  return kinds.some((kind) => kind === type.kind || isNumberPair(kind, type.kind));
}

function isNumberPair(left: string, right: string): boolean {
  const numeric = (kind: string): boolean => kind === "integer" || kind === "float";
  return (left === "number" && numeric(right)) || (right === "number" && numeric(left));
}

export function isNumeric(type: StaticType): boolean {
  return mayBe(type, "integer", "float", "number");
}

const displayNames: Readonly<Record<ScalarTypeKind | "any" | "null", string>> = {
  any: "Any",
  null: "Null",
  boolean: "Boolean",
  integer: "Integer",
  float: "Float",
  number: "Number",
  string: "String",
  map: "Map",
  node: "Node",
  relationship: "Relationship",
  path: "Path",
  point: "Point",
  date: "Date",
  time: "Time",
  "local time": "LocalTime",
  datetime: "DateTime",
  "local datetime": "LocalDateTime",
  duration: "Duration",
};

/** The type's name in messages: `Collection<Integer>` in 2.3, `List<Integer>` later. */
export function typeName(type: StaticType, listName: "Collection" | "List"): string {
  if (type.kind === "mixed") {
    return displayNames[type.numeric ? "number" : "any"];
  }
  return type.kind === "list" ? `${listName}<${typeName(type.element, listName)}>` : displayNames[type.kind];
}
