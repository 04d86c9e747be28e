/** Work in steps of well under a millisecond, between which other work may go on. */
export type Steps<T> = Generator<void, T, void>;

/** As long as a statement keeps the event loop at a time (decisions/0132). */
const SLICE_MS = 2;

/** Does all steps that are left without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) {
      return value;
    }
  }
}

/** Does the steps in slices, others having their turn before each. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    const untilMs = performance.now() + SLICE_MS;
    do {
      const { done, value } = steps.next();
      if (done === true) {
        return value;
      }
    } while (performance.now() < untilMs);
  }
}

/** `visit` for each part of so many elements, one part a step. */
export function* inParts(length: number, partLength: number, visit: (from: number, to: number) => void): Steps<void> {
  for (let from = 0; from < length; from += partLength) {
    visit(from, Math.min(from + partLength, length));
    yield;
  }
}
