import { printClass, translateClass } from "./character-class.ts";
import { complement, printPoint, union, withBothAsciiCases } from "./character-set.ts";
import { PatternCursor } from "./pattern-cursor.ts";
import { readEscape } from "./pattern-escape.ts";
import { NO_FLAGS, type PatternFlags, readFlags } from "./pattern-flags.ts";

const DEPTH_LIMIT = 200;
const ALL_LINE_ENDS = union([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x85, 0x85],
  [0x2028, 0x2029],
]);

/**
 * A Java regular expression in RE2's syntax, for matches of the whole text: inline flags, `\Q…\E`, Java's classes,
 * properties and escapes. Possessive quantifiers and atomic groups become plain ones (decisions/0055).
 *
 * @throws PatternError for what doesn't parse, and for back-references and look-around, which need backtracking
 */
export function translatePattern(pattern: string): string {
  const cursor = new PatternCursor(pattern);
  const translated = alternatives(cursor, NO_FLAGS, 0);
  if (!cursor.atEnd) {
    throw cursor.error("unmatched closing ')'");
  }
  return translated;
}

/** Everything up to the end or the group's closing parenthesis. Flags set in between hold up to there. */
function alternatives(cursor: PatternCursor, outer: PatternFlags, depth: number): string {
  if (depth > DEPTH_LIMIT) {
    throw cursor.error("groups nested too deeply");
  }
  let flags = outer;
  let text = "";
  while (!cursor.atEnd && cursor.peek() !== ")") {
    const setting = readFlagSetting(cursor, flags);
    if (setting !== undefined) {
      flags = setting;
    } else if (cursor.take("|")) {
      text += "|";
    } else if (!(flags.comments && skipComment(cursor))) {
      text += cursor.take("\\Q") ? quoted(cursor, flags) : quantified(cursor, flags, atom(cursor, flags, depth));
    }
  }
  return text;
}

/** `(?i)`: flags for the rest of the group. */
function readFlagSetting(cursor: PatternCursor, flags: PatternFlags): PatternFlags | undefined {
  let length = 2;
  while (/[a-zA-Z-]/.test(cursor.peek(length))) {
    length += 1;
  }
  if (cursor.peek() !== "(" || cursor.peek(1) !== "?" || cursor.peek(length) !== ")") {
    return undefined;
  }
  cursor.take("(?");
  const setting = readFlags(cursor, flags);
  cursor.expect(")");
  return setting;
}

/** Under `(?x)`: a blank, or a comment to the end of its line. */
function skipComment(cursor: PatternCursor): boolean {
  if (cursor.take("#")) {
    cursor.until("\n", true);
    return true;
  }
  return cursor.run(/^[ \t\n\u000b\f\r]$/, Number.MAX_SAFE_INTEGER) !== "";
}

function quoted(cursor: PatternCursor, flags: PatternFlags): string {
  const points = cursor.until("\\E", true).map((text) => literal(text.codePointAt(0) ?? 0, flags));
  const last = points.pop();
  return points.join("") + (last === undefined ? "" : quantified(cursor, flags, last));
}

function atom(cursor: PatternCursor, flags: PatternFlags, depth: number): string {
  const text = cursor.next();
  switch (text) {
    case "(":
      return group(cursor, flags, depth);
    case "[":
      return unicodeCased(translateClass(cursor, flags), flags);
    case ".":
      return flags.dotAll ? "(?s:.)" : printClass(complement(lineEnds(flags)));
    case "^":
      return flags.multiline ? "(?m:^)" : "\\A";
    case "$":
      return flags.multiline ? "(?m:$)" : "\\z";
    case "\\":
      return escaped(cursor, flags);
    case "*":
    case "+":
    case "?":
    case "{":
      throw cursor.error(`dangling meta character '${text}'`);
    default:
      return literal(text.codePointAt(0) ?? 0, flags);
  }
}

function group(cursor: PatternCursor, flags: PatternFlags, depth: number): string {
  let inner = flags;
  if (cursor.take("?")) {
    if (cursor.take("<") && !/[=!]/.test(cursor.peek())) {
      cursor.until(">", false);
    } else if (/[=!]/.test(cursor.peek())) {
      throw cursor.error("look-around is not supported");
    } else if (!cursor.take(">")) {
      inner = readFlags(cursor, flags);
      cursor.expect(":");
    }
  }
  const body = alternatives(cursor, inner, depth + 1);
  cursor.expect(")");
  return `(?:${body})`;
}

function escaped(cursor: PatternCursor, flags: PatternFlags): string {
  for (const [letter, translated] of ANCHORS) {
    if (cursor.take(letter)) {
      return translated;
    }
  }
  if (/[1-9k]/.test(cursor.peek())) {
    throw cursor.error("back-references are not supported");
  }
  const escape = readEscape(cursor, flags.unicodeClasses);
  return escape.kind === "point" ? literal(escape.point, flags) : `[${escape.item.text}]`;
}

const LINE_END_TEXT = "(?:\\x{d}\\x{a}|[\\x{a}-\\x{d}\\x{85}\\x{2028}\\x{2029}])";

/** Escapes that stand for places, or for a line end. */
const ANCHORS: readonly (readonly [letter: string, translated: string])[] = [
  ["A", "\\A"],
  ["G", "\\A"],
  ["z", "\\z"],
  ["Z", `(?:${LINE_END_TEXT}?\\z)`],
  ["b", "\\b"],
  ["B", "\\B"],
  ["R", LINE_END_TEXT],
];

/** Adds the quantifier that follows. For a match of the whole text, greedy, lazy and possessive come to the same. */
function quantified(cursor: PatternCursor, flags: PatternFlags, atomText: string): string {
  if (flags.comments) {
    while (skipComment(cursor)) {
      // Blanks may stand before a quantifier, too.
    }
  }
  const quantifier = readQuantifier(cursor);
  if (quantifier === "") {
    return atomText;
  }
  if (!cursor.take("?")) {
    cursor.take("+");
  }
  return `(?:${atomText})${quantifier}`;
}

function readQuantifier(cursor: PatternCursor): string {
  if (cursor.take("{")) {
    const bounds = cursor.until("}", false).join("");
    if (!/^\d+(?:,\d*)?$/.test(bounds)) {
      throw cursor.error("illegal repetition");
    }
    return `{${bounds}}`;
  }
  return /^[*+?]$/.test(cursor.peek()) ? cursor.next() : "";
}

function literal(point: number, flags: PatternFlags): string {
  if (flags.ignoreCase && !flags.unicodeCase) {
    return printClass(withBothAsciiCases([[point, point]]));
  }
  return unicodeCased(printPoint(point), flags);
}

function unicodeCased(text: string, flags: PatternFlags): string {
  return flags.ignoreCase && flags.unicodeCase ? `(?i:${text})` : text;
}

function lineEnds(flags: PatternFlags): typeof ALL_LINE_ENDS {
  return flags.unixLines ? [[0x0a, 0x0a]] : ALL_LINE_ENDS;
}
