import { type TypeTest } from "../binder/bound-expression.ts";
import { type Ternary, type Value } from "../values/value.ts";
import { describeType } from "../values/type-of.ts";
import { isList, kindOf, type ValueKind } from "../values/value-kind.ts";

/** `value IS :: TYPE`; null is of every type that does not say NOT NULL. */
export function isOfType(value: Value, test: TypeTest): boolean {
  if (test.kind === "Union") {
    return test.members.some((member) => isOfType(value, member));
  }
  if (value === null) {
    return !test.notNull;
  }
  if (test.kind === "List") {
    return isList(value) && value.every((element) => isOfType(element, test.element));
  }
  switch (test.name) {
    case "ANY":
      return true;
    case "PROPERTY VALUE":
      return isPropertyValue(value);
    default:
      return describeType(value) === test.name;
  }
}

/** `s IS NFC NORMALIZED`; null for anything but a string. */
export function isNormalized(value: Value, form: "NFC" | "NFD" | "NFKC" | "NFKD"): Ternary {
  return typeof value === "string" ? value.normalize(form) === value : null;
}

/** Whether it could be stored: scalars, and lists of scalars of one type. */
function isPropertyValue(value: Value): boolean {
  const elements = isList(value) ? value : [value];
  const kinds = new Set(elements.map(kindOf));
  return kinds.size <= 1 && ![...kinds].some((kind) => NOT_STORED.has(kind));
}

const NOT_STORED: ReadonlySet<ValueKind> = new Set<ValueKind>(["null", "list", "map", "node", "relationship", "path"]);
