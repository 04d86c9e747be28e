/** The words that 2.3's clauses begin with, in the order of its grammar. */
const CLAUSE_WORDS = "LOAD START MATCH OPTIONAL UNWIND MERGE CREATE SET DELETE DETACH REMOVE FOREACH WITH RETURN".split(
  " ",
);

/** What a 2.3 statement can begin with, behind its prefix. */
const STATEMENT_WORDS: readonly string[] = ["DROP", ...CLAUSE_WORDS, "USING"];

/** The keywords behind an expectation that is not one itself. */
const KEYWORDS_OF: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["a statement", STATEMENT_WORDS],
  ["a clause", CLAUSE_WORDS],
  ["an updating clause", CLAUSE_WORDS],
  ["an operator", ["IN", "STARTS", "ENDS", "CONTAINS", "IS", "AND", "XOR", "OR"]],
]);

export interface BegunKeyword {
  /** Letters that fit. */
  readonly length: number;
  /** What could follow them, as messages show it: `'h/H'`. */
  readonly letters: readonly string[];
}

/**
 * 2.3's parser reads keywords letter by letter, and is at fault where the letters stop to fit (measured).
 *
 *     MATC (n)    →    Invalid input ' ': expected 'h/H'
 *
 * @returns nothing when no keyword that was looked for begins like the word, or one of them is the word
 */
export function findBegunKeyword(word: string, expectations: readonly string[]): BegunKeyword | undefined {
  const upper = word.toUpperCase();
  // Prefixes are read by a parser of their own, whose words do not count here.
  const wanted = expectations.includes("a statement") ? ["a statement"] : expectations;
  const keywords = wanted.flatMap((each) => KEYWORDS_OF.get(each) ?? (/^[A-Z]+$/.test(each) ? [each] : []));
  const lengths = keywords.map((keyword) => commonLength(upper, keyword));
  const length = Math.max(0, ...lengths);
  if (length === 0 || keywords.includes(upper)) {
    return undefined;
  }
  const next = keywords.filter((_, index) => lengths[index] === length).flatMap((keyword) => keyword[length] ?? []);
  return { length, letters: [...new Set(next)].map((letter) => `'${letter.toLowerCase()}/${letter}'`) };
}

function commonLength(first: string, second: string): number {
  let length = 0;
  while (length < first.length && first[length] === second[length]) {
    length += 1;
  }
  return length;
}
