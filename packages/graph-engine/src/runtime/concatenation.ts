import { joinedLists } from "../values/list-joining.ts";
import { describeType } from "../values/type-of.ts";
import { typeError } from "../values/query-errors.ts";
import { type Value } from "../values/value.ts";
import { isList } from "../values/value-kind.ts";

/** `left || right`: joins two strings or two lists; null with anything is null. */
export function concatenate(left: Value, right: Value): Value {
  if (left === null || right === null) {
    return null;
  }
  if (typeof left === "string" && typeof right === "string") {
    return left + right;
  }
  if (isList(left) && isList(right)) {
    return joinedLists(left, right);
  }
  throw typeError(`Type mismatch: cannot concatenate ${describeType(left)} and ${describeType(right)}`);
}
