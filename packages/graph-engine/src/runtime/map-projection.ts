import { propertiesOf } from "../functions/graph-functions.ts";
import { type MapValue, type Value } from "../values/value.ts";
import { isMap } from "../values/value-kind.ts";
import { type StatementContext } from "./statement-context.ts";

/** `subject {.*, key: value, …}`; items in order, `null` standing for `.*`. null of a null subject. */
export function projectMap(
  subject: Value,
  items: readonly (readonly [string, Value] | null)[],
  { context }: StatementContext,
): MapValue | null {
  if (subject === null) {
    return null;
  }
  const result = new Map<string, Value>();
  for (const item of items) {
    if (item === null) {
      const all = isMap(subject) ? subject : propertiesOf(subject, "properties", context);
      all.forEach((value, key) => result.set(key, value));
    } else {
      result.set(item[0], item[1]);
    }
  }
  return result;
}
