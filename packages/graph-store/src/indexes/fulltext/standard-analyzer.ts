import { type Analyzer } from "../legacy/analyzer.ts";

/** Scripts without blanks between words have a word per character (UAX #29 finds no others in them). */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{M}\p{N}_])+/gu;

/** Words are letters and digits in a row, in lower case; all else stands between them. No word is left out. */
export const standardAnalyzer: Analyzer = {
  terms: (value) => [...new Set(wordsOf(value))],
  // Phrases are compared as words with single blanks between them.
  normalize: (term) => wordsOf(term).join(" "),
};

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
