import { type ClassItem, itemOf } from "./character-properties.ts";
import { type CharacterSet, complement, intersection, printSet, union, withBothAsciiCases } from "./character-set.ts";
import { type PatternCursor } from "./pattern-cursor.ts";
import { readEscape } from "./pattern-escape.ts";
import { type PatternFlags } from "./pattern-flags.ts";

/** More ranges than this in one class make a program too large to be worth it. */
const RANGES_LIMIT = 5_000;

/** A bracket expression: the intersection (`&&`) of unions of items. */
interface BracketExpression {
  readonly negated: boolean;
  readonly operands: readonly (readonly (ClassItem | BracketExpression)[])[];
}

/**
 * Reads a Java character class after its `[`, with nested classes, `&&` and quotes, and writes it for RE2, which knows
 * neither nesting nor intersection: where they occur the set is computed and written out.
 */
export function translateClass(cursor: PatternCursor, flags: PatternFlags): string {
  const expression = readBracket(cursor, flags, 0);
  const plain = expression.operands.length === 1 ? plainItems(expression) : undefined;
  if (plain !== undefined && !flags.ignoreCase) {
    return `[${expression.negated ? "^" : ""}${plain.map((item) => item.text).join("")}]`;
  }
  const set = expression.negated
    ? complement(cased(pointsOf({ ...expression, negated: false }), flags))
    : cased(pointsOf(expression), flags);
  if (set.length > RANGES_LIMIT) {
    throw cursor.error("a character class of too many parts");
  }
  return printClass(set);
}

/** A set as an atom of RE2. */
export function printClass(set: CharacterSet): string {
  return set.length === 0 ? "[^\\x{0}-\\x{10ffff}]" : `[${printSet(set)}]`;
}

function cased(set: CharacterSet, flags: PatternFlags): CharacterSet {
  return flags.ignoreCase ? withBothAsciiCases(set) : set;
}

function plainItems(expression: BracketExpression): readonly ClassItem[] | undefined {
  const items: ClassItem[] = [];
  for (const item of expression.operands[0] ?? []) {
    if ("operands" in item) {
      return undefined;
    }
    items.push(item);
  }
  return items.length === 0 ? undefined : items;
}

function pointsOf(expression: BracketExpression): CharacterSet {
  const sets = expression.operands.map((items) =>
    union(items.flatMap((item) => ("operands" in item ? pointsOf(item) : item.points()))),
  );
  const common = sets.reduce(intersection);
  return expression.negated ? complement(common) : common;
}

const DEPTH_LIMIT = 100;

function readBracket(cursor: PatternCursor, flags: PatternFlags, depth: number): BracketExpression {
  if (depth > DEPTH_LIMIT) {
    throw cursor.error("character classes nested too deeply");
  }
  const negated = cursor.take("^");
  const operands: (ClassItem | BracketExpression)[][] = [[]];
  let first = true;
  while (first || !cursor.take("]")) {
    if (cursor.take("&&")) {
      operands.push([]);
    } else {
      operands.at(-1)?.push(...readItems(cursor, flags, depth));
    }
    first = false;
  }
  const written = operands.filter((items) => items.length > 0);
  if (written.length === 0) {
    throw cursor.error("an empty character class");
  }
  return { negated, operands: written };
}

function readItems(cursor: PatternCursor, flags: PatternFlags, depth: number): (ClassItem | BracketExpression)[] {
  if (cursor.take("[")) {
    return [readBracket(cursor, flags, depth + 1)];
  }
  if (cursor.take("\\Q")) {
    return cursor.until("\\E", true).map((text) => itemOf([[codePoint(text), codePoint(text)]]));
  }
  const from = readMember(cursor, flags);
  if (typeof from !== "number") {
    return [from];
  }
  if (cursor.peek() === "-" && cursor.peek(1) !== "]" && cursor.peek(1) !== "[") {
    cursor.next();
    const to = readMember(cursor, flags);
    if (typeof to !== "number" || to < from) {
      throw cursor.error("illegal character range");
    }
    return [itemOf([[from, to]])];
  }
  return [itemOf([[from, from]])];
}

function readMember(cursor: PatternCursor, flags: PatternFlags): number | ClassItem {
  const text = cursor.next();
  if (text !== "\\") {
    return codePoint(text);
  }
  const escape = readEscape(cursor, flags.unicodeClasses);
  return escape.kind === "point" ? escape.point : escape.item;
}

function codePoint(text: string): number {
  return text.codePointAt(0) ?? 0;
}
