import { type Variable } from "../binder/variable.ts";
import { type Value } from "../values/value.ts";

/** The values of the variables that are there; never changed, only copied. Entities are values here, not bare ids. */
export type Row = ReadonlyMap<Variable, Value>;

export function withValue(row: Row, variable: Variable, value: Value): Row {
  return new Map([...row, [variable, value]]);
}

export function valueOf(row: Row, variable: Variable): Value {
  const value = row.get(variable);
  if (value === undefined) {
    throw new TypeError(`the binder let ${variable.name} through before it has a value`);
  }
  return value;
}
