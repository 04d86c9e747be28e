import {
  anyType,
  floatType,
  integerType,
  listOf,
  mapType,
  nullType,
  sameType,
  type StaticType,
  typeName,
} from "./static-type.ts";

// What 2.3 knows about types at compile time: a value has one of several types, or any.

const exactlyAny: StaticType = { kind: "mixed", numeric: false };
const exactlyNumber: StaticType = { kind: "mixed", numeric: true };

/** Nothing is known: a parameter, a property, null. */
export function isOpen({ kind }: StaticType): boolean {
  return kind === "any" || kind === "null";
}

/** The types a value of a known type may be of. */
export function alternativesOf(type: StaticType): readonly StaticType[] {
  return type.kind === "union" ? type.members : type.kind === "number" ? [floatType, integerType] : [type];
}

/** One of `types`; open when one of them is. */
export function unionOf(types: readonly StaticType[]): StaticType {
  if (types.length === 0 || types.some(isOpen)) {
    return anyType;
  }
  const byName = new Map(types.flatMap(alternativesOf).map((type) => [typeName(type, "Collection"), type]));
  const [first, ...others] = byName.values();
  return first === undefined ? anyType : others.length === 0 ? first : { kind: "union", members: [first, ...others] };
}

export function isSubtype(type: StaticType, wanted: StaticType): boolean {
  return chain(type).some((each) => overlaps(each, wanted));
}

/** INTEGERs are taken where a FLOAT is wanted, lists where a truth value is. */
export function coerces(type: StaticType, wanted: StaticType): boolean {
  return (type.kind === "integer" && wanted.kind === "float") || (type.kind === "list" && wanted.kind === "boolean");
}

/** Whether a value can be of both types, exactly. */
export function overlaps(left: StaticType, right: StaticType): boolean {
  if (isOpen(left) || isOpen(right)) {
    return true;
  }
  return alternativesOf(left).some((a) =>
    alternativesOf(right).some((b) =>
      a.kind === "list" && b.kind === "list"
        ? overlaps(a.element, b.element)
        : a.kind === "mixed" && b.kind === "mixed"
          ? a.numeric === b.numeric
          : sameType(a, b),
    ),
  );
}

/**
 * The type of the elements of a list that is written out, and of what `coalesce` gives: what is above all of them. An
 * element that may be anything leaves every type above the others possible.
 */
export function legacyElementType(items: readonly { readonly type: StaticType }[]): StaticType {
  const [first, ...others] = items.map((item) => item.type);
  return first === undefined ? nullType : others.reduce(above, first);
}

function above(left: StaticType, right: StaticType): StaticType {
  if (isOpen(left) || isOpen(right)) {
    return isOpen(left) && isOpen(right)
      ? anyType
      : unionOf(alternativesOf(isOpen(left) ? right : left).flatMap(chain));
  }
  return unionOf(alternativesOf(left).flatMap((a) => alternativesOf(right).map((b) => firstAbove(a, b))));
}

function firstAbove(left: StaticType, right: StaticType): StaticType {
  if (left.kind === "list" && right.kind === "list") {
    return listOf(above(left.element, right.element));
  }
  const others = chain(right);
  return chain(left).find((each) => others.some((other) => overlaps(each, other))) ?? exactlyAny;
}

/** A type and those above it. */
function chain(type: StaticType): readonly StaticType[] {
  switch (type.kind) {
    case "integer":
    case "float":
      return [type, exactlyNumber, exactlyAny];
    case "node":
    case "relationship":
      return [type, mapType, exactlyAny];
    case "list":
      return isOpen(type.element)
        ? [type, exactlyAny]
        : [...alternativesOf(type.element).flatMap(chain).map(listOf), exactlyAny];
    case "mixed":
      return type.numeric ? [exactlyNumber, exactlyAny] : [exactlyAny];
    default:
      return [type, exactlyAny];
  }
}
