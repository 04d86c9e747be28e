import { type ClassItem, findPredefined, findProperty } from "./character-properties.ts";
import { type PatternCursor } from "./pattern-cursor.ts";

/** What a backslash introduces, besides anchors and quotes: one code point, or a class. */
export type Escape =
  | { readonly kind: "point"; readonly point: number }
  | { readonly kind: "class"; readonly item: ClassItem };

const CONTROL: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, r: 0x0d, f: 0x0c, a: 0x07, e: 0x1b };

/**
 * Reads what follows a backslash, in or outside a class.
 *
 * @throws PatternError for letters that mean nothing in Java, and for unknown properties
 */
export function readEscape(cursor: PatternCursor, unicode: boolean): Escape {
  const letter = cursor.next();
  const control = Object.hasOwn(CONTROL, letter) ? CONTROL[letter] : undefined;
  if (control !== undefined) {
    return point(control);
  }
  switch (letter) {
    case "0":
      return point(Number.parseInt(must(cursor, cursor.run(/[0-7]/, 3)), 8));
    case "x":
      return point(cursor.take("{") ? braced(cursor) : hex(cursor, 2));
    case "u":
      return point(surrogatePair(cursor, hex(cursor, 4)));
    case "c":
      return point((cursor.next().codePointAt(0) ?? 0) ^ 0x40);
    case "p":
    case "P":
      return property(cursor, letter === "P");
    default:
      return predefinedOrLiteral(cursor, letter, unicode);
  }
}

function predefinedOrLiteral(cursor: PatternCursor, letter: string, unicode: boolean): Escape {
  const item = findPredefined(letter, unicode);
  if (item !== undefined) {
    return { kind: "class", item };
  }
  if (/[A-Za-z1-9]/.test(letter)) {
    throw cursor.error(`the escape '\\${letter}' is unknown or not supported`);
  }
  return point(letter.codePointAt(0) ?? 0);
}

function property(cursor: PatternCursor, negated: boolean): Escape {
  const name = cursor.take("{") ? cursor.until("}", false).join("") : cursor.next();
  const item = findProperty(name, negated);
  if (item === undefined) {
    throw cursor.error(`unknown character property name {${name.slice(0, 50)}}`);
  }
  return { kind: "class", item };
}

function point(value: number): Escape {
  return { kind: "point", point: value };
}

function hex(cursor: PatternCursor, digits: number): number {
  const text = cursor.run(/[0-9a-fA-F]/, digits);
  if (text.length !== digits) {
    throw cursor.error("illegal hexadecimal escape");
  }
  return Number.parseInt(text, 16);
}

function braced(cursor: PatternCursor): number {
  const value = Number.parseInt(must(cursor, cursor.run(/[0-9a-fA-F]/, 6)), 16);
  cursor.expect("}");
  if (value > 0x10ffff) {
    throw cursor.error("a code point beyond U+10FFFF");
  }
  return value;
}

function surrogatePair(cursor: PatternCursor, high: number): number {
  if (high >= 0xd800 && high <= 0xdbff && cursor.take("\\u")) {
    return 0x10000 + ((high - 0xd800) << 10) + (hex(cursor, 4) - 0xdc00);
  }
  return high;
}

function must(cursor: PatternCursor, digits: string): string {
  if (digits === "") {
    throw cursor.error("an escape without digits");
  }
  return digits;
}
