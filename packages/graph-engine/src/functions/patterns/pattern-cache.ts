import { type Mode } from "@trefoil/cypher";
import { RE2JS, RE2JSException } from "re2js";
import { argumentError, executionFailure } from "../../values/query-errors.ts";
import { PatternError } from "./pattern-cursor.ts";
import { translatePattern } from "./pattern-translation.ts";

/** Longer patterns are refused: compiling costs time and memory by their length. */
const PATTERN_LIMIT = 10_000;
const DEFAULT_CAPACITY = 1_000;

/**
 * Java regular expressions compiled for a linear-time engine, the most recently used ones kept. A hostile pattern can
 * cost time in proportion to pattern and text only.
 */
export class PatternCache {
  readonly #capacity: number;
  readonly #compiled = new Map<string, RE2JS>();

  constructor(capacity: number = DEFAULT_CAPACITY) {
    this.#capacity = capacity;
  }

  /**
   * Whether the whole of `text` matches `pattern`.
   *
   * @throws InvalidArguments (2.3: ExecutionFailure) for a pattern that doesn't parse, is too long, or needs backtracking (back-references,
   *         look-around)
   */
  matches(text: string, pattern: string, mode: Mode): boolean {
    return this.#compile(pattern, mode).matches(text);
  }

  #compile(pattern: string, mode: Mode): RE2JS {
    let compiled = this.#compiled.get(pattern);
    if (compiled === undefined) {
      compiled = compile(pattern, mode);
      if (this.#compiled.size >= this.#capacity) {
        this.#dropOldest();
      }
    } else {
      this.#compiled.delete(pattern);
    }
    this.#compiled.set(pattern, compiled);
    return compiled;
  }

  #dropOldest(): void {
    for (const oldest of this.#compiled.keys()) {
      this.#compiled.delete(oldest);
      return;
    }
  }
}

function compile(pattern: string, mode: Mode): RE2JS {
  try {
    if (pattern.length > PATTERN_LIMIT) {
      throw new PatternError(`more than ${PATTERN_LIMIT} characters`);
    }
    return RE2JS.compile(translatePattern(pattern));
  } catch (error) {
    if (error instanceof PatternError || error instanceof RE2JSException) {
      const message = `Invalid regular expression '${pattern.slice(0, 200)}': ${error.message}`;
      throw mode === "modern" ? argumentError(message) : executionFailure(message);
    }
    throw error;
  }
}
