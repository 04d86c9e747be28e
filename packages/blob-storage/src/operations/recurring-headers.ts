import { type HeaderFamily } from "../request/header-family.ts";
import { type AnswerHeaders } from "./answer.ts";

/**
 * Marks headers that go out with many answers: as long as the object is kept, their lines are made once per family.
 * They must not change any more.
 */
export function recurring(headers: AnswerHeaders): AnswerHeaders {
  known.set(headers, new Map());
  return headers;
}

/** The lines of headers, made anew unless they are recurring. */
export function linesOf(
  headers: AnswerHeaders,
  family: HeaderFamily,
  make: (headers: AnswerHeaders, family: HeaderFamily) => readonly string[],
): readonly string[] {
  const byFamily = known.get(headers);
  const before = byFamily?.get(family);
  if (before !== undefined) {
    return before;
  }
  const lines = make(headers, family);
  byFamily?.set(family, lines);
  return lines;
}

const known = new WeakMap<AnswerHeaders, Map<HeaderFamily, readonly string[]>>();
