import { StoreError } from "../errors.ts";
import { type FullTextIndex, newEntries } from "../indexes/fulltext/full-text-index.ts";
import { type EntityStates } from "../indexes/indexed-values.ts";
import { type LegacyEntries } from "../indexes/legacy/legacy-entries.ts";
import { LuceneSyntaxError, type LuceneQuery, parseLuceneQuery } from "../indexes/legacy/lucene-query.ts";
import { runLuceneQuery } from "../indexes/legacy/run-query.ts";

/** An entity that a full-text query finds; better fitting ones have higher scores. */
export interface TextHit {
  readonly id: number;
  readonly score: number;
}

/**
 * What a query finds in a view, best first.
 *
 * @param touched  entities that the view may see in another state than the newest committed one
 * @throws StoreError  `Statement.InvalidArguments` for a query that cannot be read
 */
export function searchText(
  index: FullTextIndex,
  query: string,
  view: EntityStates,
  touched: ReadonlySet<number>,
): readonly TextHit[] {
  const own = newEntries();
  for (const id of touched) {
    for (const [property, text] of index.textsOf(id, view)) {
      own.add(id, property, text);
    }
  }
  const entries = touched.size === 0 ? index.entries : new OverlaidEntries(index.entries, own, touched);
  // A word without a field is looked for in every property.
  const parsed = readQuery(query, index.definition.properties);
  const hits = runLuceneQuery(parsed, entries, index.entries.analyzer);
  return hits.toSorted((left, right) => right.score - left.score || left.id - right.id);
}

const ANY_FIELD = "";

function readQuery(text: string, properties: readonly string[]): LuceneQuery {
  try {
    return inFields(parseLuceneQuery(text, ANY_FIELD), properties);
  } catch (error) {
    if (error instanceof LuceneSyntaxError) {
      throw new StoreError("ClientError.Statement.InvalidArguments", error.message, { cause: error });
    }
    throw error;
  }
}

function inFields(query: LuceneQuery, properties: readonly string[]): LuceneQuery {
  if (query.kind === "boolean") {
    const clauses = query.clauses.map(({ occur, query: inner }) => ({ occur, query: inFields(inner, properties) }));
    return { kind: "boolean", clauses };
  }
  if (query.kind === "all" || query.field !== ANY_FIELD) {
    return query;
  }
  const clauses = properties.map((field) => ({ occur: "should" as const, query: { ...query, field } }));
  const [only] = clauses;
  return clauses.length === 1 && only !== undefined ? only.query : { kind: "boolean", clauses };
}

/** The entries of an index with some entities' in place of its own. */
class OverlaidEntries implements LegacyEntries {
  readonly #base: LegacyEntries;
  readonly #own: LegacyEntries;
  readonly #touched: ReadonlySet<number>;

  constructor(base: LegacyEntries, own: LegacyEntries, touched: ReadonlySet<number>) {
    this.#base = base;
    this.#own = own;
    this.#touched = touched;
  }

  get size(): number {
    return Math.max(this.#base.size, this.#own.size);
  }

  keys(): Iterable<string> {
    return new Set([...this.#base.keys(), ...this.#own.keys()]);
  }

  terms(key: string): Iterable<string> {
    return new Set([...this.#base.terms(key), ...this.#own.terms(key)]);
  }

  valuesOfTerm(key: string, term: string): Iterable<string> {
    return new Set([...this.#base.valuesOfTerm(key, term), ...this.#own.valuesOfTerm(key, term)]);
  }

  *ids(key: string, value: string): Iterable<number> {
    for (const id of this.#base.ids(key, value)) {
      if (!this.#touched.has(id)) {
        yield id;
      }
    }
    yield* this.#own.ids(key, value);
  }

  orderOf(id: number): number {
    return id;
  }
}
