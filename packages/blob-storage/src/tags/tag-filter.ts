import { type Tags } from "./tags.ts";

/** A parsed expression over tags: `"project" = 'x' AND "stage" >= 'b'`. Plain data, for the writer thread. */
export type TagFilter =
  | {
      readonly kind: "comparison";
      /** `@container`, or the name of a tag. */
      readonly subject: string;
      readonly operator: TagOperator;
      readonly value: string;
    }
  | { readonly kind: "and" | "or"; readonly parts: readonly TagFilter[] };

export type TagOperator = "=" | "<>" | ">" | ">=" | "<" | "<=";

/** `find`: the search over blobs, AND only; `condition`: the header `~if-tags`, with OR, `<>` and parentheses too. */
export type TagDialect = "find" | "condition";

export const CONTAINER_SUBJECT = "@container";

/** What is wrong with an expression, in words for the caller. */
export class TagFilterSyntaxError extends Error {
  override readonly name = "TagFilterSyntaxError";
}

const COMPARISON_LIMIT = 10;
const NAME_CHARACTERS = 128;
const VALUE_CHARACTERS = 256;
const DEPTH_LIMIT = 10;
const TEXT_LIMIT = 16 * 1024;

/**
 * Parses an expression (storage §14).
 *
 * @throws TagFilterSyntaxError
 */
export function parseTagFilter(text: string, dialect: TagDialect): TagFilter {
  if (text.length > TEXT_LIMIT) {
    throw new TagFilterSyntaxError("the expression is too long");
  }
  return new Parser(readTokens(text), dialect).parse();
}

/**
 * Whether a blob's tags fulfil the expression; texts are compared by code unit. A tag that isn't there fulfils no
 * comparison, not even `<>`.
 */
export function matchesTags(filter: TagFilter, tags: Tags, container: string): boolean {
  switch (filter.kind) {
    case "and":
      return filter.parts.every((part) => matchesTags(part, tags, container));
    case "or":
      return filter.parts.some((part) => matchesTags(part, tags, container));
    case "comparison": {
      const found =
        filter.subject === CONTAINER_SUBJECT
          ? container
          : Object.hasOwn(tags, filter.subject)
            ? tags[filter.subject]
            : undefined;
      return found !== undefined && comparisons[filter.operator](found, filter.value);
    }
  }
}

/** Every comparison of an expression. */
export function comparisonsOf(filter: TagFilter): readonly Extract<TagFilter, { kind: "comparison" }>[] {
  return filter.kind === "comparison" ? [filter] : filter.parts.flatMap(comparisonsOf);
}

const comparisons: Readonly<Record<TagOperator, (left: string, right: string) => boolean>> = {
  "=": (left, right) => left === right,
  "<>": (left, right) => left !== right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
};

interface Token {
  readonly kind: "name" | "word" | "value" | "operator" | "parenthesis" | "container";
  readonly text: string;
}

/** In order: container, "name", 'value' (a doubled quote is one), operator, parenthesis, bare word. */
const TOKEN =
  /\s*(?:(@container)|"((?:[^"]|"")*)"|'((?:[^']|'')*)'|(<>|>=|<=|=|>|<)|([()])|([A-Za-z_][A-Za-z0-9_]*))/iuy;

const KINDS: readonly Token["kind"][] = ["container", "name", "value", "operator", "parenthesis", "word"];

function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  for (let position = 0; position < end; position = TOKEN.lastIndex) {
    const match = TOKEN.exec(text);
    const index = match?.slice(1).findIndex((group) => group !== undefined) ?? -1;
    const kind = KINDS[index];
    if (match === null || kind === undefined) {
      throw new TagFilterSyntaxError(`not understood at character ${position + 1}`);
    }
    tokens.push({ kind, text: unquoted(kind, match[index + 1] ?? "") });
  }
  return tokens;
}

function unquoted(kind: Token["kind"], text: string): string {
  switch (kind) {
    case "name":
      return text.replaceAll('""', '"');
    case "value":
      return text.replaceAll("''", "'");
    default:
      return text;
  }
}

/** `or := and (OR and)*`, `and := term (AND term)*`, `term := comparison | ( or )`. */
class Parser {
  readonly #tokens: readonly Token[];
  readonly #dialect: TagDialect;
  #next = 0;
  #comparisons = 0;

  constructor(tokens: readonly Token[], dialect: TagDialect) {
    this.#tokens = tokens;
    this.#dialect = dialect;
  }

  parse(): TagFilter {
    const filter = this.#disjunction(0);
    if (this.#next < this.#tokens.length) {
      throw new TagFilterSyntaxError(`unexpected ${this.#tokens[this.#next]?.text}`);
    }
    return filter;
  }

  #disjunction(depth: number): TagFilter {
    const parts = [this.#conjunction(depth)];
    while (this.#dialect === "condition" && this.#takeWord("or")) {
      parts.push(this.#conjunction(depth));
    }
    return joined("or", parts);
  }

  #conjunction(depth: number): TagFilter {
    const parts = [this.#term(depth)];
    while (this.#takeWord("and")) {
      parts.push(this.#term(depth));
    }
    return joined("and", parts);
  }

  #term(depth: number): TagFilter {
    if (this.#dialect === "condition" && this.#take("parenthesis")?.text === "(") {
      if (depth === DEPTH_LIMIT) {
        throw new TagFilterSyntaxError("too many parentheses");
      }
      const inner = this.#disjunction(depth + 1);
      if (this.#take("parenthesis")?.text !== ")") {
        throw new TagFilterSyntaxError("a parenthesis is not closed");
      }
      return inner;
    }
    return this.#comparison();
  }

  #comparison(): TagFilter {
    const subject = this.#take("name") ?? this.#take("word") ?? this.#take("container");
    const operator = this.#take("operator");
    const value = this.#take("value");
    if (subject === undefined || operator === undefined || value === undefined) {
      throw new TagFilterSyntaxError("a comparison is a name, an operator and a value in single quotes");
    }
    this.#comparisons += 1;
    if (this.#comparisons > COMPARISON_LIMIT) {
      throw new TagFilterSyntaxError(`more than ${COMPARISON_LIMIT} comparisons`);
    }
    checkComparison(subject, operator, value, this.#dialect);
    const name = subject.kind === "container" ? CONTAINER_SUBJECT : subject.text;
    return { kind: "comparison", subject: name, operator: operator.text as TagOperator, value: value.text };
  }

  #take(kind: Token["kind"]): Token | undefined {
    const token = this.#tokens[this.#next];
    if (token?.kind !== kind) {
      return undefined;
    }
    this.#next += 1;
    return token;
  }

  #takeWord(word: string): boolean {
    const token = this.#tokens[this.#next];
    const found = token?.kind === "word" && token.text.toLowerCase() === word;
    this.#next += found ? 1 : 0;
    return found;
  }
}

function checkComparison(subject: Token, operator: Token, value: Token, dialect: TagDialect): void {
  if (subject.kind === "container") {
    if (dialect === "condition" || operator.text !== "=") {
      throw new TagFilterSyntaxError("@container is only compared by = and only in a search");
    }
    return;
  }
  if (operator.text === "<>" && dialect === "find") {
    throw new TagFilterSyntaxError("a search has no <>");
  }
  const allowed = /^[A-Za-z0-9 +\-./:=_]*$/u;
  const nameFits = subject.text !== "" && subject.text.length <= NAME_CHARACTERS && allowed.test(subject.text);
  if (!nameFits || value.text.length > VALUE_CHARACTERS || !allowed.test(value.text)) {
    throw new TagFilterSyntaxError("no tag can have such a name or value");
  }
}

function joined(kind: "and" | "or", parts: readonly TagFilter[]): TagFilter {
  const [only, second] = parts;
  return only !== undefined && second === undefined ? only : { kind, parts };
}
