import { type Mode } from "@trefoil/cypher";
import { describeType } from "../values/type-of.ts";
import { typeError } from "../values/query-errors.ts";
import { type ListValue, type Value } from "../values/value.ts";
import { isList } from "../values/value-kind.ts";

const EMPTY: ListValue = [];

/** What UNWIND goes through: nothing for null, one row for what is no list. */
export function unwound(value: Value): ListValue {
  return value === null ? EMPTY : isList(value) ? value : [value];
}

/** The list of a comprehension or quantifier; null stays null. 2.3 takes a single value for a list of itself. */
export function iterated(value: Value, mode: Mode): ListValue | null {
  if (value === null || isList(value)) {
    return value;
  }
  if (mode === "2.3") {
    return [value];
  }
  throw typeError(`Type mismatch: expected a list but was ${describeType(value)}`);
}
