import { QueryError } from "../errors.ts";
import { lex } from "../lexer.ts";
import { openStatement, type ParseOptions, readToEnd } from "../parse.ts";
import { EXPANSIONS } from "./vocabulary.ts";

/** What can stand at a place of a text. */
export interface Expectation {
  /** Offset where the word under the cursor begins: what is chosen replaces the text from here to the cursor. */
  readonly from: number;
  /** Keywords and symbols as written, and kinds of names in words: `an identifier`, `a label name`, … */
  readonly expected: readonly string[];
}

/** What the grammar allows at `offset`, for completion: the text before it is parsed, what follows doesn't count. */
export function expectedAt(text: string, offset: number, options: ParseOptions): Expectation {
  const before = text.slice(0, offset);
  const { kinds, starts, ends } = lex(before, options.mode);
  const last = kinds.length - 2;
  const isInWord = kinds[last] === "word" && ends[last] === offset;
  const from = isInWord ? (starts[last] ?? offset) : offset;
  return { from, expected: expectedAtEnd(before.slice(0, from), options) };
}

function expectedAtEnd(text: string, options: ParseOptions): readonly string[] {
  let cursor;
  try {
    ({ cursor } = openStatement(text, options));
    readToEnd(cursor);
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }
  }
  if (cursor?.kind !== "end") {
    return [];
  }
  return [...new Set(cursor.expectations().flatMap((expectation) => EXPANSIONS[expectation] ?? [expectation]))];
}
