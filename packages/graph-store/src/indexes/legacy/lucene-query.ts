/** A query in the language of the index provider of that era. Terms are as written, escapes taken out. */
export type LuceneQuery =
  | { readonly kind: "all" }
  /** A part without wildcards is a text, `*` and `?` are kinds of their own. */
  | { readonly kind: "term"; readonly field: string; readonly text: string; readonly quoted: boolean }
  | { readonly kind: "pattern"; readonly field: string; readonly parts: readonly PatternPart[] }
  | { readonly kind: "fuzzy"; readonly field: string; readonly text: string; readonly similarity: number }
  /** Undefined: open at that end. */
  | {
      readonly kind: "range";
      readonly field: string;
      readonly from: string | undefined;
      readonly to: string | undefined;
      readonly inclusive: boolean;
    }
  | { readonly kind: "boolean"; readonly clauses: readonly LuceneClause[] };

export type PatternPart = { readonly text: string } | "*" | "?";

export interface LuceneClause {
  readonly occur: "must" | "should" | "must not";
  readonly query: LuceneQuery;
}

/** The query's text cannot be understood. */
export class LuceneSyntaxError extends Error {
  override readonly name = "LuceneSyntaxError";
}

/**
 * Reads a query: terms, phrases, `*` and `?`, ranges, fuzzy terms, `field:`, `+`, `-`, AND, OR, NOT, groups. Weights
 * (`^2`) are read and have no effect.
 *
 * @param defaultField  of terms without a field; undefined: they must have one
 * @throws LuceneSyntaxError
 */
export function parseLuceneQuery(text: string, defaultField: string | undefined): LuceneQuery {
  return new QueryParser(text, defaultField).parse();
}

interface Token {
  readonly kind: "word" | "quoted" | "symbol" | "range" | "end";
  /** Of a word: as written, escapes included. */
  readonly text: string;
  readonly at: number;
}

class QueryParser {
  readonly #text: string;
  readonly #defaultField: string | undefined;
  #at = 0;
  #depth = 0;
  #token: Token;

  constructor(text: string, defaultField: string | undefined) {
    this.#text = text;
    this.#defaultField = defaultField;
    this.#token = this.#next();
  }

  parse(): LuceneQuery {
    const query = this.#group(this.#defaultField);
    if (this.#token.kind !== "end") {
      throw this.#unexpected();
    }
    return query;
  }

  #group(field: string | undefined): LuceneQuery {
    this.#depth += 1;
    if (this.#depth > MAXIMUM_DEPTH) {
      throw new LuceneSyntaxError(`Cannot parse '${this.#text}': it is nested too deeply`);
    }
    const clauses: LuceneClause[] = [];
    do {
      const conjunction = clauses.length === 0 ? undefined : this.#conjunction();
      const modifier = this.#modifier();
      const query = this.#clause(field);
      const last = clauses.at(-1);
      if (conjunction === "AND" && last?.occur === "should") {
        clauses[clauses.length - 1] = { ...last, occur: "must" };
      }
      const occur = modifier ?? (conjunction === "AND" ? "must" : "should");
      clauses.push({ occur, query });
    } while (this.#token.kind !== "end" && !this.#isSymbol(")"));
    this.#depth -= 1;
    const [only] = clauses;
    return clauses.length === 1 && only !== undefined && only.occur !== "must not"
      ? only.query
      : { kind: "boolean", clauses };
  }

  #conjunction(): "AND" | "OR" | undefined {
    const { kind, text } = this.#token;
    const word = kind === "word" || kind === "symbol" ? CONJUNCTIONS[text] : undefined;
    if (word !== undefined) {
      this.#token = this.#next();
    }
    return word;
  }

  #modifier(): "must" | "must not" | undefined {
    const { kind, text } = this.#token;
    const modifier = kind === "word" || kind === "symbol" ? MODIFIERS[text] : undefined;
    if (modifier !== undefined) {
      this.#token = this.#next();
    }
    return modifier;
  }

  #clause(field: string | undefined): LuceneQuery {
    const token = this.#token;
    if (token.kind !== "word" || this.#text[this.#at] !== ":") {
      return this.#value(field);
    }
    this.#at += 1;
    this.#token = this.#next();
    const inner = unescaped(token.text);
    if (inner === "*" && this.#token.kind === "word" && this.#token.text === "*") {
      this.#token = this.#next();
      return { kind: "all" };
    }
    return this.#value(inner);
  }

  /** What stands for a field: a field of its own it has only inside of parentheses. */
  #value(field: string | undefined): LuceneQuery {
    const token = this.#token;
    if (this.#isSymbol("(")) {
      this.#token = this.#next();
      const query = this.#group(field);
      if (!this.#isSymbol(")")) {
        throw this.#unexpected();
      }
      this.#token = this.#next();
      this.#boost();
      return query;
    }
    const isOperator = token.kind === "word" && (CONJUNCTIONS[token.text] ?? MODIFIERS[token.text]) !== undefined;
    if (isOperator || (token.kind !== "word" && token.kind !== "quoted" && token.kind !== "range")) {
      throw this.#unexpected();
    }
    if (field === undefined) {
      throw new LuceneSyntaxError(`Cannot parse '${this.#text}': "${token.text}" has no field to be looked for in`);
    }
    this.#token = this.#next();
    const similarity = this.#suffix("~");
    if (token.kind === "word" && similarity >= 1) {
      throw new LuceneSyntaxError(`Cannot parse '${this.#text}': minimumSimilarity >= 1`);
    }
    this.#boost();
    return termOf(token, field, similarity);
  }

  #boost(): void {
    if (Number.isNaN(this.#suffix("^"))) {
      throw this.#unexpected();
    }
  }

  /** `~` or `^` with a number or without; -1 when it is not there, NaN without a number. */
  #suffix(symbol: string): number {
    if (!this.#isSymbol(symbol)) {
      return -1;
    }
    const number = /^[\d.]+/.exec(this.#text.slice(this.#at))?.[0];
    this.#at += number?.length ?? 0;
    this.#token = this.#next();
    return number === undefined ? Number.NaN : Number(number);
  }

  #isSymbol(text: string): boolean {
    return this.#token.kind === "symbol" && this.#token.text === text;
  }

  #next(): Token {
    while (/\s/.test(this.#text[this.#at] ?? "")) {
      this.#at += 1;
    }
    const at = this.#at;
    const rest = this.#text.slice(at);
    if (rest === "") {
      return { kind: "end", text: "<EOF>", at };
    }
    for (const [kind, pattern] of TOKENS) {
      const found = pattern.exec(rest)?.[0];
      if (found !== undefined) {
        this.#at += found.length;
        return { kind, text: found, at };
      }
    }
    throw this.#syntaxError(rest[0] ?? "", at);
  }

  #unexpected(): LuceneSyntaxError {
    return this.#syntaxError(this.#token.text, this.#token.at);
  }

  #syntaxError(what: string, at: number): LuceneSyntaxError {
    return new LuceneSyntaxError(`Cannot parse '${this.#text}': Encountered "${what}" at line 1, column ${at}.`);
  }
}

const MAXIMUM_DEPTH = 100;

const CONJUNCTIONS: Readonly<Record<string, "AND" | "OR">> = { AND: "AND", "&&": "AND", OR: "OR", "||": "OR" };
const MODIFIERS: Readonly<Record<string, "must" | "must not">> = {
  "+": "must",
  "-": "must not",
  "!": "must not",
  NOT: "must not",
};

const TOKENS: readonly (readonly [Token["kind"], RegExp])[] = [
  ["quoted", /^"(?:[^"\\]|\\.)*"/s],
  // A range's end may stand in quotes; TO stands between blanks.
  ["range", /^[[{]\s*(?:"(?:[^"\\]|\\.)*"|[^\s\]}]+)\s+TO\s+(?:"(?:[^"\\]|\\.)*"|[^\s\]}]+)\s*[\]}]/s],
  ["symbol", /^(?:&&|\|\||[()!+\-^~])/],
  ["word", /^(?:[^\s"()[\]{}^~:\\+!-]|\\.)(?:[^\s"()[\]{}^~:\\]|\\.)*/s],
];

function termOf(token: Token, field: string, similarity: number): LuceneQuery {
  if (token.kind === "quoted") {
    return { kind: "term", field, text: unescaped(token.text.slice(1, -1)), quoted: true };
  }
  if (token.kind === "range") {
    const [, open, from = "", to = ""] =
      /^([[{])\s*("(?:[^"\\]|\\.)*"|\S+)\s+TO\s+("(?:[^"\\]|\\.)*"|[^\s\]}]+)/s.exec(token.text) ?? [];
    return { kind: "range", field, from: rangeEnd(from), to: rangeEnd(to), inclusive: open === "[" };
  }
  if (similarity !== -1) {
    return { kind: "fuzzy", field, text: unescaped(token.text), similarity };
  }
  const parts = Array.from(token.text.matchAll(/\*|\?|(?:[^*?\\]|\\.)+/gs), ([part]): PatternPart =>
    part === "*" || part === "?" ? part : { text: unescaped(part) },
  );
  return parts.some((part) => typeof part === "string")
    ? { kind: "pattern", field, parts }
    : { kind: "term", field, text: unescaped(token.text), quoted: false };
}

function rangeEnd(text: string): string | undefined {
  return text === "*" ? undefined : unescaped(text.startsWith('"') ? text.slice(1, -1) : text);
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, "$1");
}
