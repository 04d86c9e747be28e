import { type Mode } from "../ast/node.ts";
import { lex, type TokenList } from "../lexer.ts";
import { KEYWORDS } from "./vocabulary.ts";

export type TokenCategory =
  | "keyword"
  | "function"
  | "label"
  | "property"
  | "name"
  | "parameter"
  | "string"
  | "number"
  | "comment"
  | "operator"
  | "bracket"
  | "separator"
  | "invalid";

/** A stretch of a text in one colour; `start` and `end` count UTF-16 units. */
export interface HighlightToken {
  readonly category: TokenCategory;
  readonly start: number;
  readonly end: number;
}

/**
 * The tokens of any text, right or wrong, for highlighting: blanks are left out, comments are in. What a name is is
 * guessed from its neighbours, not from the grammar, so that a text under work keeps its colours.
 */
export function tokenize(text: string, options: { readonly mode: Mode }): readonly HighlightToken[] {
  const tokens = lex(text, options.mode, { comments: true });
  return tokens.kinds.slice(0, -1).map((_, index) => ({
    category: categorize(text, tokens, index),
    start: tokens.starts[index] ?? 0,
    end: tokens.ends[index] ?? 0,
  }));
}

const BY_KIND: Readonly<Record<string, TokenCategory>> = {
  string: "string",
  integer: "number",
  float: "number",
  comment: "comment",
  invalid: "invalid",
  $: "parameter",
  "(": "bracket",
  ")": "bracket",
  "[": "bracket",
  "]": "bracket",
  "{": "bracket",
  "}": "bracket",
  ",": "separator",
  ";": "separator",
  ":": "separator",
  ".": "separator",
};

function categorize(text: string, { kinds, starts, ends }: TokenList, index: number): TokenCategory {
  const kind = kinds[index] ?? "end";
  const previous = kinds[index - 1];
  if (previous === "$" && starts[index] === ends[index - 1]) {
    return "parameter";
  }
  if (kind !== "word" && kind !== "quoted name") {
    return BY_KIND[kind] ?? "operator";
  }
  const next = kinds[index + 1];
  if (previous === "{" && next === "}") {
    return "parameter";
  }
  if (previous === "." && next !== "(") {
    return "property";
  }
  // `{key: …` and `, key: …` are keys; elsewhere a colon before a name makes it a label or a type.
  if (previous === ":" && !isMapValue(kinds, index)) {
    return "label";
  }
  if (next === ":" && (previous === "{" || previous === ",")) {
    return "property";
  }
  if (kind === "word" && KEYWORDS.has(text.slice(starts[index], ends[index]).toUpperCase())) {
    return "keyword";
  }
  return next === "(" ? "function" : "name";
}

/** Is the colon before this token the one between a map's key and its value? */
function isMapValue(kinds: TokenList["kinds"], index: number): boolean {
  const beforeKey = kinds[index - 3];
  const key = kinds[index - 2];
  return (
    (key === "word" || key === "quoted name") && (beforeKey === "{" || (beforeKey === "," && isInBraces(kinds, index)))
  );
}

function isInBraces(kinds: TokenList["kinds"], index: number): boolean {
  let depth = 0;
  for (let before = index - 1; before >= 0; before -= 1) {
    const kind = kinds[before];
    if (kind === "}" || kind === ")" || kind === "]") {
      depth += 1;
    } else if (kind === "{" || kind === "(" || kind === "[") {
      if (depth === 0) {
        return kind === "{";
      }
      depth -= 1;
    }
  }
  return false;
}
