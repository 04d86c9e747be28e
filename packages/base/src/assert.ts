/** Our own mistake: an invariant of the program does not hold. Never shown to a client, always logged whole. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

/** Throws {@link AssertionError} unless `condition` holds; `why` says which invariant it is. */
export function assert(condition: unknown, why: string): asserts condition {
  if (!condition) {
    throw new AssertionError(why);
  }
}

/** `value`, which the caller knows to be there; `why` says how it knows. */
export function must<T>(value: T | null | undefined, why: string): T {
  if (value === null || value === undefined) {
    throw new AssertionError(why);
  }
  return value;
}

/** Closes a `switch` over a union: the compiler proves that no case is left. */
export function unreachable(value: never): never {
  throw new AssertionError(`unexpected value: ${String(value)}`);
}
