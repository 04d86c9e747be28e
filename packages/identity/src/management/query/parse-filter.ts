import { ManagementError } from "../../protocol/management-error.ts";
import { comparisons, type Filter, type Literal, type Path, textFunctions } from "./filter.ts";

const LENGTH_LIMIT = 4_000;
/** Far deeper than anybody writes, far shallower than the stack. */
const DEPTH_LIMIT = 50;

/**
 * Reads a `$filter`: `or` binds weakest, then `and`, then `not`.
 *
 * @throws ManagementError naming the place where it stops making sense
 */
export function parseFilter(text: string): Filter {
  if (text.length > LENGTH_LIMIT) {
    throw new ManagementError("Request_UnsupportedQuery", `A filter has at most ${LENGTH_LIMIT} characters`);
  }
  const parser = new FilterParser(tokenize(text));
  const filter = parser.parseOr();
  parser.expectEnd();
  return filter;
}

interface Token {
  readonly kind: "word" | "text" | "mark";
  readonly value: string;
  readonly position: number;
}

/** Quoted texts (a quote inside is doubled), marks, and words: names, numbers, dates, GUIDs. */
const TOKEN = /\s*(?:'((?:[^']|'')*)'|([(),:/])|([^\s'(),:/](?:[^\s'(),/:]|:(?=\d))*))/y;

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const position = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) {
      throw invalid(position, "a quote is not closed");
    }
    const [, quoted, mark, word] = match;
    tokens.push(
      quoted !== undefined
        ? { kind: "text", value: quoted.replaceAll("''", "'"), position }
        : mark !== undefined
          ? { kind: "mark", value: mark, position }
          : { kind: "word", value: word ?? "", position },
    );
  }
  return tokens;
}

class FilterParser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parseOr(): Filter {
    let left = this.#parseAnd();
    while (this.#takeWord("or")) {
      left = { kind: "or", left, right: this.#parseAnd() };
    }
    return left;
  }

  expectEnd(): void {
    const token = this.#tokens[this.#next];
    if (token !== undefined) {
      throw invalid(token.position, `'${token.value}' is not expected there`);
    }
  }

  #parseAnd(): Filter {
    let left = this.#parseUnary();
    while (this.#takeWord("and")) {
      left = { kind: "and", left, right: this.#parseUnary() };
    }
    return left;
  }

  #parseUnary(): Filter {
    this.#depth += 1;
    if (this.#depth > DEPTH_LIMIT) {
      throw new ManagementError("Request_UnsupportedQuery", `A filter is at most ${DEPTH_LIMIT} levels deep`);
    }
    const filter = this.#parseOperand();
    this.#depth -= 1;
    return filter;
  }

  #parseOperand(): Filter {
    if (this.#takeWord("not")) {
      return { kind: "not", operand: this.#parseUnary() };
    }
    if (this.#takeMark("(")) {
      const inner = this.parseOr();
      this.#expectMark(")");
      return inner;
    }
    const name = this.#takeName();
    const textFunction = textFunctions.find((each) => each === name.toLowerCase());
    if (textFunction !== undefined && this.#takeMark("(")) {
      const path = this.#parsePath(this.#takeName());
      this.#expectMark(",");
      const text = this.#takeText();
      this.#expectMark(")");
      return { kind: "function", name: textFunction, path, text };
    }
    return this.#parseCondition(this.#parsePath(name));
  }

  #parseCondition(path: Path): Filter {
    if (path.at(-1) === "any" && path.length > 1 && this.#takeMark("(")) {
      return this.#parseAny(path.slice(0, -1));
    }
    const word = this.#takeName().toLowerCase();
    if (word === "in") {
      return { kind: "in", path, values: this.#parseValues() };
    }
    const operator = comparisons.find((each) => each === word);
    if (operator === undefined) {
      throw this.#unexpected(`one of ${comparisons.join(", ")}, in`);
    }
    return { kind: "comparison", operator, path, value: this.#takeLiteral() };
  }

  #parseAny(path: Path): Filter {
    if (this.#takeMark(")")) {
      return { kind: "any", path, variable: "", condition: undefined };
    }
    const variable = this.#takeName();
    this.#expectMark(":");
    const condition = this.parseOr();
    this.#expectMark(")");
    return { kind: "any", path, variable, condition };
  }

  #parseValues(): readonly Literal[] {
    this.#expectMark("(");
    const values = [this.#takeLiteral()];
    while (this.#takeMark(",")) {
      values.push(this.#takeLiteral());
    }
    this.#expectMark(")");
    return values;
  }

  #parsePath(first: string): Path {
    const path = [first];
    while (this.#takeMark("/")) {
      path.push(this.#takeName());
    }
    return path;
  }

  #takeName(): string {
    const token = this.#tokens[this.#next];
    if (token?.kind !== "word") {
      throw this.#unexpected("a name");
    }
    this.#next += 1;
    return token.value;
  }

  #takeText(): string {
    const token = this.#tokens[this.#next];
    if (token?.kind !== "text") {
      throw this.#unexpected("a text in quotes");
    }
    this.#next += 1;
    return token.value;
  }

  #takeLiteral(): Literal {
    const token = this.#tokens[this.#next];
    if (token === undefined || token.kind === "mark") {
      throw this.#unexpected("a value");
    }
    this.#next += 1;
    return token.kind === "text" ? token.value : readWord(token);
  }

  #takeWord(word: string): boolean {
    const token = this.#tokens[this.#next];
    const isThere = token?.kind === "word" && token.value.toLowerCase() === word;
    this.#next += isThere ? 1 : 0;
    return isThere;
  }

  #takeMark(mark: string): boolean {
    const token = this.#tokens[this.#next];
    const isThere = token?.kind === "mark" && token.value === mark;
    this.#next += isThere ? 1 : 0;
    return isThere;
  }

  #expectMark(mark: string): void {
    if (!this.#takeMark(mark)) {
      throw this.#unexpected(`'${mark}'`);
    }
  }

  #unexpected(wanted: string): ManagementError {
    const token = this.#tokens[this.#next];
    return token === undefined
      ? new ManagementError("Request_UnsupportedQuery", `The filter ends where ${wanted} is expected`)
      : invalid(token.position, `${wanted} is expected, not '${token.value}'`);
  }
}

const CONSTANTS: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Dates, times of day with them, and GUIDs. (OData 4.01 ABNF, primitiveLiteral) */
const BARE = /^(\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;

function readWord({ value: word, position }: Token): Literal {
  const constant = CONSTANTS.get(word.toLowerCase());
  if (constant !== undefined) {
    return constant;
  }
  if (/^-?\d+(\.\d+)?$/.test(word)) {
    return Number(word);
  }
  if (!BARE.test(word)) {
    throw invalid(position, "a text is written in quotes");
  }
  return word;
}

function invalid(position: number, reason: string): ManagementError {
  return new ManagementError("Request_UnsupportedQuery", `Invalid filter at character ${position + 1}: ${reason}`);
}
