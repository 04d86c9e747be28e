import { type Expression } from "../ast/expressions.ts";
import { type Mode } from "../ast/node.ts";
import { type PathPattern } from "../ast/patterns.ts";
import { type Query } from "../ast/statement.ts";
import { type Position, type QueryError } from "../errors.ts";
import { type LexicalFault, lex, type TokenKind, type TokenList } from "../lexer.ts";
import { LineIndex } from "../line-index.ts";
import { joinAlternatives, syntaxError } from "../syntax-error.ts";
import { findBegunKeyword } from "./begun-keyword.ts";

/**
 * The rules that refer to each other in circles (an expression holds a pattern, that holds an expression; both hold
 * whole queries). They meet here, so that the files of the grammar import one another in one direction only.
 */
export interface Rules {
  /** An expression whose value is used: a bare pattern is no value in modern Cypher. */
  readonly expression: (cursor: Cursor) => Expression;
  /** An expression in a place for a truth value, where a pattern may stand. */
  readonly predicate: (cursor: Cursor) => Expression;
  readonly pathPattern: (cursor: Cursor) => PathPattern;
  /** What stands between the braces of a subquery. */
  readonly subquery: (cursor: Cursor) => Query;
}

/**
 * How deep expressions, patterns and subqueries may be nested in one another. Far beyond what people and programs
 * write, and low enough for every recursive walk over the tree to stay within the stack.
 */
export const MAXIMUM_NESTING = 200;

const FAULT_MESSAGES: Readonly<Record<Exclude<LexicalFault, "number" | "character">, string>> = {
  "unterminated string": "The string is not closed by a quote of the kind it began with",
  "unterminated name": "The name is not closed by a backtick",
  "unterminated comment": "The comment is not closed by */",
};

/** A place in the token list, what was tried there, and the errors that can be said about it. */
export class Cursor {
  readonly text: string;
  readonly mode: Mode;
  readonly rules: Rules;
  readonly #tokens: TokenList;
  readonly #lines: LineIndex;
  #index = 0;
  #nesting = 0;
  /** What was looked for at the token `#expectedAt`; another token starts a new list. */
  #expected: string[] = [];
  #expectedAt = 0;
  /** Above 0 while a `|` ends the expression at hand (comprehensions, FOREACH), so that it joins no labels. */
  #barsReserved = 0;

  constructor(text: string, mode: Mode, rules: Rules, offset = 0) {
    this.text = text;
    this.mode = mode;
    this.rules = rules;
    this.#tokens = lex(text, mode);
    this.#lines = new LineIndex(text);
    while ((this.#tokens.starts[this.#index] ?? text.length) < offset) {
      this.#index += 1;
    }
  }

  get isModern(): boolean {
    return this.mode === "modern";
  }

  get kind(): TokenKind {
    return this.kindAhead(0);
  }

  /** Offset of the present token. */
  get offset(): number {
    return this.#tokens.starts[this.#index] ?? this.text.length;
  }

  /** Where the last token read ended. */
  get previousEnd(): number {
    return this.#tokens.ends[this.#index - 1] ?? 0;
  }

  /** Text of the present token as written. */
  get tokenText(): string {
    return this.text.slice(this.offset, this.#tokens.ends[this.#index]);
  }

  position(): Position {
    return this.#lines.at(this.offset);
  }

  positionAt(offset: number): Position {
    return this.#lines.at(offset);
  }

  kindAhead(distance: number): TokenKind {
    return this.#tokens.kinds[this.#index + distance] ?? "end";
  }

  /** Is there no blank between the present token and the one before? */
  isAdjacent(): boolean {
    return this.previousEnd === this.offset;
  }

  /** The same for the token at `distance`. */
  isAdjacentAhead(distance: number): boolean {
    return this.#tokens.ends[this.#index + distance - 1] === this.#tokens.starts[this.#index + distance];
  }

  advance(): void {
    this.#index += 1;
  }

  at(kind: TokenKind): boolean {
    if (this.kind === kind) {
      return true;
    }
    this.expected(kind);
    return false;
  }

  accept(kind: TokenKind): boolean {
    const isThere = this.at(kind);
    if (isThere) {
      this.#index += 1;
    }
    return isThere;
  }

  expect(kind: TokenKind): void {
    if (!this.accept(kind)) {
      this.fail();
    }
  }

  /** Is the token at `distance` this keyword, in any case? Leaves no trace in the list of what was expected. */
  isWord(word: string, distance = 0): boolean {
    const index = this.#index + distance;
    if (this.#tokens.kinds[index] !== "word") {
      return false;
    }
    const start = this.#tokens.starts[index] ?? 0;
    if ((this.#tokens.ends[index] ?? 0) - start !== word.length) {
      return false;
    }
    for (let position = 0; position < word.length; position += 1) {
      const code = this.text.charCodeAt(start + position);
      const upper = code >= 0x61 && code <= 0x7a ? code - 0x20 : code;
      if (upper !== word.charCodeAt(position)) {
        return false;
      }
    }
    return true;
  }

  isAnyWord(words: readonly string[], distance = 0): boolean {
    return words.some((word) => this.isWord(word, distance));
  }

  atWord(word: string): boolean {
    if (this.isWord(word)) {
      return true;
    }
    this.expected(word);
    return false;
  }

  acceptWord(word: string): boolean {
    const isThere = this.atWord(word);
    if (isThere) {
      this.#index += 1;
    }
    return isThere;
  }

  /** Two keywords or none: `acceptWords("ORDER", "BY")` fails when only the first is there. */
  acceptWords(first: string, ...rest: readonly string[]): boolean {
    if (!this.acceptWord(first)) {
      return false;
    }
    for (const word of rest) {
      this.expectWord(word);
    }
    return true;
  }

  expectWord(word: string): void {
    if (!this.acceptWord(word)) {
      this.fail();
    }
  }

  /** One of several keywords; returns it in upper case. */
  expectOneOf<Word extends string>(words: readonly Word[]): Word {
    for (const word of words) {
      if (this.acceptWord(word)) {
        return word;
      }
    }
    return this.fail();
  }

  atName(distance = 0): boolean {
    const kind = this.kindAhead(distance);
    return kind === "word" || kind === "quoted name";
  }

  /** A name, unquoted; `what` names it in the error (`"an identifier"`). */
  name(what: string): string {
    const kind = this.kind;
    if (kind === "word") {
      const name = this.tokenText;
      this.#index += 1;
      return name;
    }
    if (kind === "quoted name") {
      const name = this.tokenText.slice(1, -1).replaceAll("``", "`");
      this.#index += 1;
      return name;
    }
    this.expected(what);
    return this.fail();
  }

  /** Notes what could have stood here, for the message of a failure at this token. */
  expected(what: string): void {
    if (this.#expectedAt !== this.#index) {
      this.#expectedAt = this.#index;
      this.#expected = [];
    }
    this.#expected.push(what);
  }

  /** What was looked for at the present token, without repetitions. */
  expectations(): readonly string[] {
    return this.#expectedAt === this.#index ? [...new Set(this.#expected)] : [];
  }

  /** The present token fits nowhere. */
  fail(): never {
    const fault = this.#tokens.faults.get(this.#index);
    if (fault !== undefined && fault !== "character" && fault !== "number") {
      throw this.error(FAULT_MESSAGES[fault], this.position(), "UnexpectedSyntax");
    }
    throw this.unexpected();
  }

  /** Where an operand is wanted, a bad number is called that; elsewhere it is just one more thing that does not fit. */
  failAsOperand(at: Position = this.position()): never {
    if (this.isBadNumber()) {
      throw this.error("invalid literal number", at, "InvalidNumberLiteral");
    }
    this.expected("an expression");
    return this.fail();
  }

  isBadNumber(): boolean {
    return this.#tokens.faults.get(this.#index) === "number";
  }

  /** Whether a number is next, be it a bad one. */
  atNumber(): boolean {
    return this.kind === "integer" || this.kind === "float" || this.isBadNumber();
  }

  /** The error `Invalid input 'T': expected …` about the present token. */
  unexpected(tckDetail?: string): QueryError {
    const kind = this.kind;
    const begun = this.isModern || kind !== "word" ? undefined : findBegunKeyword(this.tokenText, this.expectations());
    const offset = this.offset + (begun?.length ?? 0);
    const expectations = begun?.letters ?? this.#describedExpectations();
    const expected = expectations.length === 0 ? "" : `: expected ${joinAlternatives(expectations)}`;
    const input =
      offset >= this.text.length
        ? "Unexpected end of input"
        : `Invalid input '${String.fromCodePoint(this.text.codePointAt(offset) ?? 0)}'`;
    const isLookAlike = kind === "dash" || kind === "left arrowhead" || kind === "right arrowhead";
    const detail = tckDetail ?? (isLookAlike ? "InvalidUnicodeCharacter" : "UnexpectedSyntax");
    return this.error(input + expected, this.positionAt(offset), detail);
  }

  #describedExpectations(): readonly string[] {
    const expectations = this.expectations();
    // The rule that a statement begins with has no better name in 2.3.
    return expectations.includes("a statement") ? ["<init>"] : expectations.map(describeExpectation);
  }

  error(message: string, position: Position = this.position(), tckDetail?: string): QueryError {
    return syntaxError(this.text, position, message, tckDetail);
  }

  /** Raises the standard error unless the statement is modern: for syntax that 2.3 does not know. */
  requireModern(): void {
    if (!this.isModern) {
      this.fail();
    }
  }

  /** Runs a rule one level deeper; refuses what is nested beyond {@link MAXIMUM_NESTING}. */
  nested<T>(rule: () => T): T {
    this.enter();
    const result = rule();
    this.leave();
    return result;
  }

  enter(): void {
    this.#nesting += 1;
    if (this.#nesting > MAXIMUM_NESTING) {
      throw this.error(`Nested too deeply: more than ${MAXIMUM_NESTING} levels`, this.position(), "UnexpectedSyntax");
    }
  }

  leave(): void {
    this.#nesting -= 1;
  }

  get areBarsReserved(): boolean {
    return this.#barsReserved > 0;
  }

  /** Runs a rule in which a `|` is reserved for what encloses it, or, inside brackets of its own, is free again. */
  withBars<T>(reserved: boolean, rule: () => T): T {
    const outer = this.#barsReserved;
    this.#barsReserved = reserved ? 1 : 0;
    const result = rule();
    this.#barsReserved = outer;
    return result;
  }
}

function describeExpectation(expectation: string): string {
  if (/^[^\p{L}]$/u.test(expectation)) {
    return `'${expectation}'`;
  }
  return /^[^\p{L}]+$/u.test(expectation) ? `"${expectation}"` : expectation;
}
