import { type LegacyConfig } from "./legacy-change.ts";

/** How values become the terms that queries look for. */
export interface Analyzer {
  /** The terms of a value. */
  terms(value: string): readonly string[];
  /** A term of a query as it is looked for, also one with wildcards. */
  normalize(term: string): string;
}

/** Exact indexes have the value as their only term; full-text ones its words, in lower case unless told otherwise. */
export function analyzerOf(config: LegacyConfig): Analyzer {
  const isFullText = config["type"] === "fulltext";
  const lower = (config["to_lower_case"] ?? String(isFullText)).toLowerCase() === "true";
  const normalize = (term: string): string => (lower ? term.toLowerCase() : term);
  return {
    normalize,
    terms: (value) =>
      isFullText ? [...new Set(normalize(value).split(/\s+/))].filter((word) => word !== "") : [normalize(value)],
  };
}
