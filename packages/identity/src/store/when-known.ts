/**
 * Goes on with a value at once when it is there, else when it has come: most of what a request needs is remembered, and
 * a promise for it costs more than all that is done with it.
 */
export function whenKnown<Value, Result>(
  value: Value | Promise<Value>,
  goOn: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
