import { type PatternCursor } from "./pattern-cursor.ts";

/** Java's inline flags as they stand at one place of a pattern. */
export interface PatternFlags {
  /** `i`: ASCII letters only, unless `unicodeCase`. */
  readonly ignoreCase: boolean;
  /** `u`, implied by `U`. */
  readonly unicodeCase: boolean;
  /** `s`: a dot takes line ends too. */
  readonly dotAll: boolean;
  /** `m`: `^` and `$` hold at line ends. */
  readonly multiline: boolean;
  /** `d`: only `\n` ends a line. */
  readonly unixLines: boolean;
  /** `x`: blanks and `#` comments don't count. */
  readonly comments: boolean;
  /** `U`: `\w`, `\d`, `\s` go by Unicode. */
  readonly unicodeClasses: boolean;
}

export const NO_FLAGS: PatternFlags = {
  ignoreCase: false,
  unicodeCase: false,
  dotAll: false,
  multiline: false,
  unixLines: false,
  comments: false,
  unicodeClasses: false,
};

const LETTERS: Readonly<Record<string, keyof PatternFlags>> = {
  i: "ignoreCase",
  u: "unicodeCase",
  s: "dotAll",
  m: "multiline",
  d: "unixLines",
  x: "comments",
  U: "unicodeClasses",
};

/** Reads flag letters, also after a minus, up to (not including) `)` or `:`. */
export function readFlags(cursor: PatternCursor, before: PatternFlags): PatternFlags {
  const flags = { ...before };
  let value = true;
  while (cursor.peek() !== ")" && cursor.peek() !== ":") {
    const letter = cursor.next();
    const flag = Object.hasOwn(LETTERS, letter) ? LETTERS[letter] : undefined;
    if (letter === "-") {
      value = false;
    } else if (flag === undefined) {
      throw cursor.error(`unknown inline flag '${letter}'`);
    } else {
      flags[flag] = value;
      flags.unicodeCase = flag === "unicodeClasses" ? value : flags.unicodeCase;
    }
  }
  return flags;
}
