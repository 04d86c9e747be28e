import { type CharacterSet, type CodePointRange, complement, printSet, setOf, union } from "./character-set.ts";

/** What may stand in a class: its text inside RE2's brackets, and its code points when sets must be computed. */
export interface ClassItem {
  readonly text: string;
  readonly points: () => CharacterSet;
}

/** An item of known code points. */
export function itemOf(ranges: readonly CodePointRange[]): ClassItem {
  const set = union(ranges);
  return { text: printSet(set), points: () => set };
}

const DIGIT: CharacterSet = [[0x30, 0x39]];
const SPACE: CharacterSet = [
  [0x09, 0x0d],
  [0x20, 0x20],
];
const UPPER: CodePointRange = [0x41, 0x5a];
const LOWER: CodePointRange = [0x61, 0x7a];
const WORD: CharacterSet = union([...DIGIT, UPPER, [0x5f, 0x5f], LOWER]);

/** Java's classes of one letter; the capital letter is the rest. */
const PREDEFINED: Readonly<Record<string, CharacterSet>> = {
  d: DIGIT,
  s: SPACE,
  w: WORD,
  h: union([
    [0x09, 0x09],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x180e, 0x180e],
    [0x2000, 0x200a],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
  ]),
  v: union([
    [0x0a, 0x0d],
    [0x85, 0x85],
    [0x2028, 0x2029],
  ]),
};

/** What `\d`, `\s` and `\w` are under `(?U)`, in the words of JavaScript. */
const PREDEFINED_UNICODE: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  s: "\\p{White_Space}",
  w: "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}",
};

/** POSIX classes, ASCII only as in Java. */
const POSIX: Readonly<Record<string, readonly CodePointRange[]>> = {
  Lower: [LOWER],
  Upper: [UPPER],
  ASCII: [[0x00, 0x7f]],
  Alpha: [UPPER, LOWER],
  Digit: DIGIT,
  Alnum: [...DIGIT, UPPER, LOWER],
  Punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  Graph: [[0x21, 0x7e]],
  Print: [[0x20, 0x7e]],
  Blank: [
    [0x09, 0x09],
    [0x20, 0x20],
  ],
  Cntrl: [
    [0x00, 0x1f],
    [0x7f, 0x7f],
  ],
  XDigit: [...DIGIT, [0x41, 0x46], [0x61, 0x66]],
  Space: SPACE,
};

/** Java's own names, and those of its binary properties that JavaScript calls differently. */
const JAVA_NAMES: Readonly<Record<string, string>> = {
  javaLowerCase: "Lowercase",
  javaUpperCase: "Uppercase",
  javaWhitespace: "White_Space",
  javaLetter: "L",
  javaDigit: "Nd",
  javaAlphabetic: "Alphabetic",
  IsLetter: "L",
  IsDigit: "Nd",
  IsControl: "Cc",
  IsPunctuation: "P",
  IsTitlecase: "Lt",
};

/** The blocks that people name; Java knows all 300 of them. */
const BLOCKS: Readonly<Record<string, CodePointRange>> = {
  BASICLATIN: [0x00, 0x7f],
  "LATIN-1SUPPLEMENT": [0x80, 0xff],
  "LATINEXTENDED-A": [0x100, 0x17f],
  "LATINEXTENDED-B": [0x180, 0x24f],
  GREEK: [0x370, 0x3ff],
  GREEKANDCOPTIC: [0x370, 0x3ff],
  CYRILLIC: [0x400, 0x4ff],
  ARMENIAN: [0x530, 0x58f],
  HEBREW: [0x590, 0x5ff],
  ARABIC: [0x600, 0x6ff],
  DEVANAGARI: [0x900, 0x97f],
  THAI: [0xe00, 0xe7f],
  GENERALPUNCTUATION: [0x2000, 0x206f],
  CURRENCYSYMBOLS: [0x20a0, 0x20cf],
  ARROWS: [0x2190, 0x21ff],
  MATHEMATICALOPERATORS: [0x2200, 0x22ff],
  HIRAGANA: [0x3040, 0x309f],
  KATAKANA: [0x30a0, 0x30ff],
  CJKUNIFIEDIDEOGRAPHS: [0x4e00, 0x9fff],
  HANGULSYLLABLES: [0xac00, 0xd7af],
  EMOTICONS: [0x1f600, 0x1f64f],
};

/** The item of `\d`, `\W` and so on; `undefined` for other letters. */
export function findPredefined(letter: string, unicode: boolean): ClassItem | undefined {
  const small = letter.toLowerCase();
  const words = unicode ? PREDEFINED_UNICODE[small] : undefined;
  const set = Object.hasOwn(PREDEFINED, small) ? PREDEFINED[small] : undefined;
  if (words === undefined && set === undefined) {
    return undefined;
  }
  const points = words === undefined ? (set ?? []) : scan(`[${words}]`);
  return itemOf(letter === small ? points : complement(points));
}

/** The item of `\p{name}`; `undefined` for a name neither Java's tables nor Unicode's know. */
export function findProperty(name: string, negated: boolean): ClassItem | undefined {
  const ranges = knownRanges(name);
  if (ranges !== undefined) {
    return itemOf(negated ? complement(union(ranges)) : ranges);
  }
  for (const candidate of javaScriptNames(name)) {
    const expression = `\\${negated ? "P" : "p"}{${candidate}}`;
    if (isKnown(expression)) {
      return unicodeItem(candidate, expression);
    }
  }
  return undefined;
}

/** General categories mean the same to RE2; scripts and binary properties are spelt out. */
function unicodeItem(candidate: string, expression: string): ClassItem {
  if (/^(?:L[ulmto]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cf]?)$/.test(candidate)) {
    return { text: expression, points: () => scan(expression) };
  }
  const points = scan(expression);
  return { text: printSet(points), points: () => points };
}

function knownRanges(name: string): readonly CodePointRange[] | undefined {
  if (Object.hasOwn(POSIX, name)) {
    return POSIX[name];
  }
  const block = /^(?:In|block=|blk=)(.+)$/.exec(name)?.[1]?.toUpperCase().replace(/[ _]/g, "");
  const range = block === undefined || !Object.hasOwn(BLOCKS, block) ? undefined : BLOCKS[block];
  return range === undefined ? undefined : [range];
}

function javaScriptNames(name: string): string[] {
  const named = Object.hasOwn(JAVA_NAMES, name) ? JAVA_NAMES[name] : undefined;
  if (named !== undefined) {
    return [named];
  }
  const assigned = /^(?:script|sc|general_category|gc)=(.+)$/i.exec(name)?.[1];
  const bare = assigned ?? name.replace(/^Is/, "");
  const capital = bare.charAt(0).toUpperCase() + bare.slice(1).toLowerCase();
  return [bare, `Script=${bare}`, `Script=${capital}`, capital].filter((candidate) => /^[\w=]+$/.test(candidate));
}

function isKnown(expression: string): boolean {
  try {
    return new RegExp(expression, "u").unicode;
  } catch {
    return false;
  }
}

/** Unicode's tables never change while we run: each is read once. */
const scanned = new Map<string, CharacterSet>();

function scan(expression: string): CharacterSet {
  const known = scanned.get(expression);
  if (known !== undefined) {
    return known;
  }
  const points = setOf(new RegExp(expression, "u"));
  scanned.set(expression, points);
  return points;
}
