/**
 * What the binder knows about a value before the statement runs. `any` is "not known"; `null` fits everywhere.
 * A number of unknown kind is `number`.
 */
export type StaticType =
  | { readonly kind: "any" | "null" | ScalarTypeKind }
  /** 2.3: known to be what is above several types, so that nothing that wants one of them takes it. */
  | { readonly kind: "mixed"; readonly numeric: boolean }
  /** 2.3: one of these. */
  | { readonly kind: "union"; readonly members: readonly StaticType[] }
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

/** Whether a value of this type may be one of `kinds`; unknown types may be anything. */
export function mayBe(type: StaticType, ...kinds: readonly (ScalarTypeKind | "list")[]): boolean {
  if (type.kind === "any" || type.kind === "null") {
    return true;
  }
  if (type.kind === "union") {
    return type.members.some((member) => mayBe(member, ...kinds));
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

/** The type's name in messages: `Collection<Integer>` in 2.3, `List<Integer>` later; the elements of `[]` are `T`. */
export function typeName(type: StaticType, listName: "Collection" | "List"): string {
  return joinAlternatives(typeNames(type, listName));
}

/** `A, B or C`. */
export function joinAlternatives(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}`;
}

/** The names of the types one value may be of: lists after what is none, by their depth. */
export function typeNames(type: StaticType, listName: "Collection" | "List"): readonly string[] {
  switch (type.kind) {
    case "mixed":
      return [displayNames[type.numeric ? "number" : "any"]];
    case "number":
      return listName === "Collection" ? ["Float", "Integer"] : [displayNames.number];
    case "union":
      return sortTypeNames(type.members.flatMap((member) => typeNames(member, listName)));
    case "list": {
      const isOpen = listName === "Collection" && (type.element.kind === "any" || type.element.kind === "null");
      return isOpen ? ["Collection<T>"] : typeNames(type.element, listName).map((name) => `${listName}<${name}>`);
    }
    default:
      return [displayNames[type.kind]];
  }
}

export function sortTypeNames(names: readonly string[]): readonly string[] {
  const depth = (name: string): number => name.split("<").length;
  return [...new Set(names)].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}
