import { setImmediate } from "node:timers/promises";

/** Elements worked on in a row before others get their turn. */
const TURN = 500;

/**
 * The elements of `source`, letting other requests run every so often.
 *
 * @throws the reason of `signal` once it is aborted
 */
export async function* cooperatively<T>(source: Iterable<T>, signal: AbortSignal): AsyncGenerator<T, void, undefined> {
  let count = 0;
  for (const element of source) {
    if (++count % TURN === 0) {
      await setImmediate();
      signal.throwIfAborted();
    }
    yield element;
  }
}
