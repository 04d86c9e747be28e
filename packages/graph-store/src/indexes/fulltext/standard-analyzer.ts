import { type Analyzer } from "../legacy/analyzer.ts";

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;

/** Words are letters and digits in a row, in lower case; all else stands between them. No word is left out. */
export const standardAnalyzer: Analyzer = {
  terms: (value) => [...new Set(wordsOf(value))],
  // Phrases are compared as words with single blanks between them.
  normalize: (term) => wordsOf(term).join(" "),
};

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
