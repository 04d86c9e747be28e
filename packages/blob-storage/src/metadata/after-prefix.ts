/** Greater than every name: names end below the last code point there is, repeated. */
const AFTER_EVERYTHING = "\u{10ffff}\u{10ffff}";
const LAST_CODE_POINT = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const AFTER_SURROGATES = 0xe000;

/**
 * The smallest text greater than every text that begins with `prefix`, in the order of UTF-8 bytes, which is the
 * order of code points and the one the databases compare in.
 */
export function afterPrefix(prefix: string): string {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) {
    points.pop();
  }
  const last = points.pop();
  if (last === undefined) {
    return AFTER_EVERYTHING;
  }
  const next = last + 1 === FIRST_SURROGATE ? AFTER_SURROGATES : last + 1;
  return String.fromCodePoint(...points, next);
}
