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

  /** @param position  of the character, from 1; absent when the expression as a whole is wrong */
  constructor(reason: string, position?: number) {
    super(
      `Error parsing query${position === undefined ? "" : ` at or near character position ${position}`}: ${reason}`,
    );
  }
}

/** How many tags a search may name, and how many comparisons a condition may have. */
const SEARCHED_TAGS = 10;
const CONDITION_COMPARISONS = 1_000;
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
  const filter = new Parser(readTokens(text), dialect, text.length).parse();
  const tags = new Set(comparisonsOf(filter).map(({ subject }) => subject));
  tags.delete(CONTAINER_SUBJECT);
  if (dialect === "find" && tags.size > SEARCHED_TAGS) {
    throw new TagFilterSyntaxError(`there can be at most ${SEARCHED_TAGS} unique tags in a query`);
  }
  return filter;
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
  readonly kind: "name" | "word" | "value" | "operator" | "parenthesis" | "at";
  readonly text: string;
  /** Of its first character, from 1. */
  readonly position: number;
}

/** In order: `@container` and its like, "name", 'value' (a doubled quote is one), operator, parenthesis, bare word. */
const TOKEN =
  /\s*(?:(@[A-Za-z0-9_]*)|"((?:[^"]|"")*)"|'((?:[^']|'')*)'|(<>|>=|<=|=|>|<)|([()])|([A-Za-z_][A-Za-z0-9_]*))/iuy;

const KINDS: readonly Token["kind"][] = ["at", "name", "value", "operator", "parenthesis", "word"];

function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  for (let position = 0; position < end; position = TOKEN.lastIndex) {
    const match = TOKEN.exec(text);
    const index = match?.slice(1).findIndex((group) => group !== undefined) ?? -1;
    const kind = KINDS[index];
    if (match === null || kind === undefined) {
      throw new TagFilterSyntaxError("unexpected character", position + 1);
    }
    const raw = match[index + 1] ?? "";
    tokens.push({ kind, text: unquoted(kind, raw), position: TOKEN.lastIndex - match[0].trimStart().length + 1 });
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
  readonly #length: number;
  #next = 0;
  #comparisons = 0;

  constructor(tokens: readonly Token[], dialect: TagDialect, length: number) {
    this.#tokens = tokens;
    this.#dialect = dialect;
    this.#length = length;
  }

  parse(): TagFilter {
    const filter = this.#disjunction(0);
    if (this.#next < this.#tokens.length) {
      throw this.#unexpected();
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
        throw new TagFilterSyntaxError("too many parentheses", this.#position());
      }
      const inner = this.#disjunction(depth + 1);
      if (this.#take("parenthesis")?.text !== ")") {
        throw new TagFilterSyntaxError("a parenthesis is not closed", this.#position());
      }
      return inner;
    }
    return this.#comparison();
  }

  #comparison(): TagFilter {
    const subject = this.#take("name") ?? this.#take("word") ?? this.#take("at");
    const operator = subject && this.#take("operator");
    const value = operator && this.#take("value");
    if (subject === undefined || operator === undefined || value === undefined) {
      throw this.#unexpected();
    }
    this.#comparisons += 1;
    if (this.#comparisons > CONDITION_COMPARISONS) {
      throw new TagFilterSyntaxError(`more than ${CONDITION_COMPARISONS} comparisons`, subject.position);
    }
    checkComparison(subject, operator, value, this.#dialect);
    const name = subject.kind === "at" ? CONTAINER_SUBJECT : subject.text;
    return { kind: "comparison", subject: name, operator: operator.text as TagOperator, value: value.text };
  }

  /** Where the next token is, or the end. */
  #position(): number {
    return this.#tokens[this.#next]?.position ?? this.#length + 1;
  }

  #unexpected(): TagFilterSyntaxError {
    const token = this.#tokens[this.#next];
    return new TagFilterSyntaxError(
      token === undefined ? "unexpected end" : `unexpected '${token.text}'`,
      this.#position(),
    );
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

const ALLOWED = /^[A-Za-z0-9 +\-./:=_]*$/u;

/** A condition may compare with what no tag can be: it just doesn't hold. A search is told. */
function checkComparison(subject: Token, operator: Token, value: Token, dialect: TagDialect): void {
  const searches = dialect === "find";
  if (subject.kind === "at" && (subject.text.toLowerCase() !== CONTAINER_SUBJECT || !searches)) {
    throw new TagFilterSyntaxError(`unsupported parameter '${subject.text}'`, subject.position);
  }
  if (operator.text === "<>" && searches) {
    throw new TagFilterSyntaxError("unexpected '<>'", operator.position);
  }
  if (subject.kind === "at") {
    if (operator.text !== "=") {
      throw new TagFilterSyntaxError(`${CONTAINER_SUBJECT} is only compared by =`, operator.position);
    }
    return;
  }
  const { length } = subject.text;
  if (length === 0 || (searches && length > NAME_CHARACTERS)) {
    throw new TagFilterSyntaxError(
      `tag must be between 1 and ${NAME_CHARACTERS} characters in length`,
      subject.position,
    );
  }
  if (searches && value.text.length > VALUE_CHARACTERS) {
    const reason = `tag value must be between 0 and ${VALUE_CHARACTERS} characters in length`;
    throw new TagFilterSyntaxError(reason, value.position);
  }
  for (const { text, position } of [subject, value]) {
    if (!ALLOWED.test(text)) {
      throw new TagFilterSyntaxError(`'${text}' has a character not permitted in tag name or value`, position);
    }
  }
}

function joined(kind: "and" | "or", parts: readonly TagFilter[]): TagFilter {
  const [only, second] = parts;
  return only !== undefined && second === undefined ? only : { kind, parts };
}
