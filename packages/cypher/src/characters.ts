/**
 * What a character can be in a statement. Code units are UTF-16; letters beyond ASCII are judged per code point.
 *
 * @source the character classes of the 2.3 server: names follow Java's rules for identifiers, blanks Java's and
 *         Unicode's, arrows and dashes of patterns may be look-alikes (reference cypher §1)
 */

const WORD_START = /^[\p{L}\p{Nl}\p{Pc}\p{Sc}]$/u;
const WORD_PART = /^[\p{L}\p{Nl}\p{Pc}\p{Sc}\p{Mn}\p{Mc}\p{Nd}\u200c\u200d]$/u;

const UNICODE_BLANKS = new Set([
  0x85, 0xa0, 0x1680, 0x180e, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a,
  0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
]);

/** Hyphens, dashes and minus signs that a pattern takes for `-`. */
const DASHES = new Set([0xad, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xfe58, 0xfe63, 0xff0d]);

/** Angle brackets that a pattern takes for `<` and `>`. */
const LEFT_ARROWHEADS = new Set([0x27e8, 0x3008, 0xfe64, 0xff1c]);
const RIGHT_ARROWHEADS = new Set([0x27e9, 0x3009, 0xfe65, 0xff1e]);

export function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f) || isUnicodeBlank(code);
}

function isUnicodeBlank(code: number): boolean {
  return code >= 0x85 && UNICODE_BLANKS.has(code);
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** `$` is not among them: whether it belongs to names depends on the mode. */
export function isWordStart(codePoint: number): boolean {
  if (codePoint < 0x80) {
    return isAsciiLetter(codePoint) || codePoint === 0x5f;
  }
  return WORD_START.test(String.fromCodePoint(codePoint));
}

export function isWordPart(codePoint: number): boolean {
  if (codePoint < 0x80) {
    return isAsciiLetter(codePoint) || isDigit(codePoint) || codePoint === 0x5f;
  }
  return WORD_PART.test(String.fromCodePoint(codePoint));
}

function isAsciiLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

export type LookAlike = "dash" | "left arrowhead" | "right arrowhead";

/** Which part of an arrow the character stands for in a pattern, if any. */
export function findLookAlike(code: number): LookAlike | undefined {
  if (DASHES.has(code)) {
    return "dash";
  }
  if (LEFT_ARROWHEADS.has(code)) {
    return "left arrowhead";
  }
  return RIGHT_ARROWHEADS.has(code) ? "right arrowhead" : undefined;
}
