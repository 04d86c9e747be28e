import { type Analyzer } from "./analyzer.ts";
import { type LegacyEntries } from "./legacy-entries.ts";
import { type LuceneQuery, type PatternPart } from "./lucene-query.ts";

/** An entity that a query finds, and how well it fits. */
export interface LegacyHit {
  readonly id: number;
  readonly score: number;
}

/** What a query finds, in the order of the index. */
export function runLuceneQuery(query: LuceneQuery, entries: LegacyEntries, analyzer: Analyzer): LegacyHit[] {
  const scores = evaluate(query, entries, analyzer);
  const norm = 1 / Math.sqrt(weightOf(query, entries, analyzer) || 1);
  return Array.from(scores, ([id, score]) => ({ id, score: Math.fround(score * norm) })).sort(
    (left, right) => entries.orderOf(left.id) - entries.orderOf(right.id),
  );
}

/** Squared weights of what an entity fits, before they are made comparable. */
type Scores = Map<number, number>;

function evaluate(query: LuceneQuery, entries: LegacyEntries, analyzer: Analyzer): Scores {
  switch (query.kind) {
    case "all":
      return constant(Array.from(entries.keys()).flatMap((key) => idsOfTerms(entries, key, () => true)));
    case "term":
      return termScores(query, entries, analyzer);
    case "pattern": {
      const pattern = patternOf(query.parts, analyzer);
      return constant(idsOfTerms(entries, query.field, (term) => pattern.test(term)));
    }
    case "fuzzy":
      return constant(idsOfTerms(entries, query.field, isNear(analyzer.normalize(query.text), query.similarity)));
    case "range":
      return constant(idsOfTerms(entries, query.field, isBetween(query, analyzer)));
    case "boolean":
      return combine(query.clauses.map(({ occur, query: inner }) => [occur, evaluate(inner, entries, analyzer)]));
  }
}

/** Who has a term more often fits it better, by the root of the times. */
function termScores(query: TermQuery, entries: LegacyEntries, analyzer: Analyzer): Scores {
  const times = timesOfTerm(query, entries, analyzer);
  const weight = rarity(times.size, entries.size) ** 2;
  return new Map(Array.from(times, ([id, count]) => [id, weight * Math.sqrt(count)]));
}

type TermQuery = LuceneQuery & { kind: "term" };

/**
 * How often entities have a term. One that the analyzer takes apart, or a phrase, asks for all its parts in one value,
 * in their order.
 */
function timesOfTerm({ field, text }: TermQuery, entries: LegacyEntries, analyzer: Analyzer): Map<number, number> {
  const terms = analyzer.terms(text);
  const [first] = terms;
  if (first === undefined) {
    return new Map();
  }
  const phrase = analyzer.normalize(text).trim().replace(/\s+/g, " ");
  const times = new Map<number, number>();
  for (const value of entries.valuesOfTerm(field, first)) {
    if (terms.length === 1 || ` ${analyzer.normalize(value).replace(/\s+/g, " ")} `.includes(` ${phrase} `)) {
      for (const id of entries.ids(field, value)) {
        times.set(id, (times.get(id) ?? 0) + 1);
      }
    }
  }
  return times;
}

/** Rare terms weigh more: the classic inverse document frequency. */
function rarity(found: number, all: number): number {
  return 1 + Math.log(all / (found + 1));
}

function weightOf(query: LuceneQuery, entries: LegacyEntries, analyzer: Analyzer): number {
  switch (query.kind) {
    case "boolean":
      return query.clauses
        .filter(({ occur }) => occur !== "must not")
        .reduce((sum, { query: inner }) => sum + weightOf(inner, entries, analyzer), 0);
    case "term":
      return rarity(timesOfTerm(query, entries, analyzer).size, entries.size) ** 2;
    default:
      return 1;
  }
}

function combine(clauses: readonly (readonly [occur: "must" | "should" | "must not", scores: Scores])[]): Scores {
  const required = clauses.filter(([occur]) => occur === "must").map(([, scores]) => scores);
  const wanted = clauses.filter(([occur]) => occur !== "must not").map(([, scores]) => scores);
  const forbidden = clauses.filter(([occur]) => occur === "must not").map(([, scores]) => scores);
  const result: Scores = new Map();
  for (const id of new Set(wanted.flatMap((scores) => [...scores.keys()]))) {
    if (required.every((scores) => scores.has(id)) && !forbidden.some((scores) => scores.has(id))) {
      const fitting = wanted.filter((scores) => scores.has(id));
      const sum = fitting.reduce((total, scores) => total + (scores.get(id) ?? 0), 0);
      // Who fits more of the clauses fits better.
      result.set(id, (sum * fitting.length) / wanted.length);
    }
  }
  return result;
}

function constant(ids: Iterable<number>): Scores {
  return new Map(Array.from(ids, (id) => [id, 1]));
}

function idsOfTerms(entries: LegacyEntries, key: string, matches: (term: string) => boolean): number[] {
  const ids: number[] = [];
  for (const term of new Set(entries.terms(key))) {
    if (matches(term)) {
      for (const value of entries.valuesOfTerm(key, term)) {
        for (const id of entries.ids(key, value)) {
          ids.push(id);
        }
      }
    }
  }
  return ids;
}

/** Stars that follow each other are one, so that no pattern takes long. */
function patternOf(parts: readonly PatternPart[], analyzer: Analyzer): { test(term: string): boolean } {
  const wanted: string[] = parts.flatMap((part): string[] =>
    typeof part === "string" ? [part] : Array.from(analyzer.normalize(part.text), (character) => `=${character}`),
  );
  return { test: (term) => matchesPattern(Array.from(term), wanted) };
}

/** Walks both from the left and goes back to the last star only: at most the product of the two lengths. */
function matchesPattern(characters: readonly string[], wanted: readonly string[]): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resume = 0;
  while (at < characters.length) {
    const want = wanted[place];
    if (want === "*") {
      star = place;
      resume = at;
      place += 1;
    } else if (want === "?" || want === `=${characters[at]}`) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      place = star + 1;
      resume += 1;
      at = resume;
    } else {
      return false;
    }
  }
  return wanted.slice(place).every((want) => want === "*");
}

function isBetween(
  { from, to, inclusive }: LuceneQuery & { kind: "range" },
  analyzer: Analyzer,
): (term: string) => boolean {
  const low = from === undefined ? undefined : analyzer.normalize(from);
  const high = to === undefined ? undefined : analyzer.normalize(to);
  return (term: string): boolean =>
    (low === undefined || (inclusive ? term >= low : term > low)) &&
    (high === undefined || (inclusive ? term <= high : term < high));
}

const DEFAULT_SIMILARITY = 0.5;

/** Edits in proportion to the shorter text, as the era's fuzzy terms measured. */
function isNear(text: string, similarity: number): (term: string) => boolean {
  const wanted = Number.isNaN(similarity) ? DEFAULT_SIMILARITY : Math.min(similarity, 1);
  return (term) => {
    const shorter = Math.min(text.length, term.length);
    const allowed = shorter * (1 - wanted);
    return (
      Math.abs(text.length - term.length) <= allowed && editDistance(text, term) < Math.max(allowed, Number.EPSILON)
    );
  };
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const change = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
