import { type TypeTest } from "../binder/bound-expression.ts";
import { type Ternary, type Value } from "../values/value.ts";
import { isList, kindOf } from "../values/value-kind.ts";

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
  const kinds = kindsByTypeName[test.name];
  return kinds === undefined ? false : kinds.length === 0 || kinds.includes(kindOf(value));
}

/** `s IS NFC NORMALIZED`; null for anything but a string. */
export function isNormalized(value: Value, form: "NFC" | "NFD" | "NFKC" | "NFKD"): Ternary {
  return typeof value === "string" ? value.normalize(form) === value : null;
}

/** Empty: any value. */
const kindsByTypeName: Readonly<Record<string, readonly string[]>> = {
  ANY: [],
  "ANY VALUE": [],
  NOTHING: ["nothing"],
  NULL: ["null"],
  BOOLEAN: ["boolean"],
  BOOL: ["boolean"],
  INTEGER: ["integer"],
  INT: ["integer"],
  "SIGNED INTEGER": ["integer"],
  FLOAT: ["float"],
  STRING: ["string"],
  VARCHAR: ["string"],
  MAP: ["map"],
  NODE: ["node"],
  VERTEX: ["node"],
  "ANY NODE": ["node"],
  "ANY VERTEX": ["node"],
  RELATIONSHIP: ["relationship"],
  EDGE: ["relationship"],
  "ANY RELATIONSHIP": ["relationship"],
  "ANY EDGE": ["relationship"],
  PATH: ["path"],
  PATHS: ["path"],
  LIST: ["list"],
  ARRAY: ["list"],
  "PROPERTY VALUE": ["boolean", "integer", "float", "string"],
  "ANY PROPERTY VALUE": ["boolean", "integer", "float", "string"],
};
