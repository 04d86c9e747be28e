import { floatOf, integerOf, type WholeFloat } from "@trefoil/graph-store";
import { JsonError } from "./json-error.ts";

/** JSON with the numbers kept apart as decisions/0001 has them: INTEGER is exact, FLOAT is recognisable. */
export type JsonValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | WholeFloat
  | readonly JsonValue[]
  | ReadonlyMap<string, JsonValue>;

/** What the next token would be, in the words of the messages that name tokens. */
export type JsonToken =
  | "START_OBJECT"
  | "END_OBJECT"
  | "START_ARRAY"
  | "END_ARRAY"
  | "FIELD_NAME"
  | "VALUE_STRING"
  | "VALUE_NUMBER_INT"
  | "VALUE_NUMBER_FLOAT"
  | "VALUE_TRUE"
  | "VALUE_FALSE"
  | "VALUE_NULL";

/** Deeper nesting than this is refused, so that no body can exhaust the stack. */
export const MAXIMUM_DEPTH = 1000;

/** Longer numbers than this are refused: reading a bigint takes time that grows faster than its length. */
const MAXIMUM_NUMBER_LENGTH = 1000;

/**
 * Reads JSON from front to back and no further than asked, so that what stands before a mistake can be acted on
 * before the mistake is met (graph-http §4.2). Integers of any length come out exact; repeated keys: the last wins.
 *
 * @throws JsonError at the first character that cannot be read
 */
export class JsonReader {
  readonly #text: string;
  #at: number;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  }

  /** The next character that is not blank, as a code unit, or -1 at the end of the text; it is not consumed. */
  peek(): number {
    const text = this.#text;
    let code = text.charCodeAt(this.#at);
    while (code === SPACE || code === NEW_LINE || code === RETURN || code === TAB) {
      this.#at++;
      code = text.charCodeAt(this.#at);
    }
    return this.#at < text.length ? code : -1;
  }

  /** Consumes the character that {@link peek} gave. */
  skip(): void {
    this.#at++;
  }

  /** The token a value that begins here would be; the character is not consumed. */
  peekValueToken(): JsonToken {
    const code = this.peek();
    switch (code) {
      case OPEN_BRACE:
        return "START_OBJECT";
      case OPEN_BRACKET:
        return "START_ARRAY";
      case QUOTE:
        return "VALUE_STRING";
      case LOWER_T:
        return "VALUE_TRUE";
      case LOWER_F:
        return "VALUE_FALSE";
      case LOWER_N:
        return "VALUE_NULL";
      default:
        return this.#numberToken();
    }
  }

  readValue(): JsonValue {
    const code = this.peek();
    switch (code) {
      case QUOTE:
        return this.readString();
      case OPEN_BRACE:
        return this.#readMap();
      case OPEN_BRACKET:
        return this.#readList();
      case LOWER_T:
        return this.#readWord("true", true);
      case LOWER_F:
        return this.#readWord("false", false);
      case LOWER_N:
        return this.#readWord("null", null);
      case -1:
        throw this.endOfInput("");
      default:
        if (code === MINUS || isDigit(code)) {
          return this.#readNumber();
        }
        throw this.#unexpectedValue(code);
    }
  }

  /** A string whose opening quote is the next character. */
  readString(): string {
    const text = this.#text;
    const start = ++this.#at;
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return text.slice(start, at);
      }
      if (code === BACKSLASH) {
        this.#at = at;
        return this.#readEscapedString(text.slice(start, at));
      }
      if (code < SPACE) {
        this.#at = at;
        throw this.error(
          `Illegal unquoted character ((CTRL-CHAR, code ${code})): has to be escaped using backslash to be included in string value`,
        );
      }
    }
    this.#at = text.length;
    throw this.endOfInput(" in VALUE_STRING");
  }

  /** The members of an object whose brace is the next character; `onMember` must read each member's value. */
  readMembers(onMember: (name: string) => void): void {
    this.#enter();
    if (this.peek() === CLOSE_BRACE) {
      this.#leave();
      return;
    }
    for (;;) {
      onMember(this.readFieldName());
      const code = this.peek();
      if (code === CLOSE_BRACE) {
        this.#leave();
        return;
      }
      this.#expectComma(code, "OBJECT");
    }
  }

  /** The elements of an array whose bracket is the next character; `onElement` must read each of them. */
  readElements(onElement: () => void): void {
    this.#enter();
    if (this.peek() === CLOSE_BRACKET) {
      this.#leave();
      return;
    }
    do {
      onElement();
    } while (this.hasNextElement());
  }

  /** After an element: consumes the comma (true) or the closing bracket (false). */
  hasNextElement(): boolean {
    const code = this.peek();
    if (code === CLOSE_BRACKET) {
      this.#leave();
      return false;
    }
    this.#expectComma(code, "ARRAY");
    return true;
  }

  /** A name and its colon. */
  readFieldName(): string {
    const code = this.peek();
    if (code !== QUOTE) {
      throw code === -1
        ? this.endOfInput(": expected close marker for OBJECT")
        : this.unexpected(code, "was expecting double-quote to start field name");
    }
    const name = this.readString();
    const colon = this.peek();
    if (colon !== COLON) {
      throw colon === -1
        ? this.endOfInput(" within/between OBJECT entries")
        : this.unexpected(colon, "was expecting a colon to separate field name and value");
    }
    this.#at++;
    if (this.peek() === -1) {
      throw this.endOfInput(" within/between OBJECT entries");
    }
    return name;
  }

  /** Throws unless nothing but blanks is left. */
  expectEnd(): void {
    const code = this.peek();
    if (code !== -1) {
      throw this.#unexpectedValue(code);
    }
  }

  /** An error at the character that is next. */
  error(message: string): JsonError {
    let line = 1;
    let lineStart = 0;
    for (let at = this.#text.indexOf("\n"); at !== -1 && at < this.#at; at = this.#text.indexOf("\n", at + 1)) {
      line++;
      lineStart = at + 1;
    }
    return new JsonError(message, line, this.#at - lineStart + 2);
  }

  endOfInput(where: string): JsonError {
    return this.error(`Unexpected end-of-input${where}`);
  }

  unexpected(code: number, expected: string): JsonError {
    return this.error(`Unexpected character (${describe(code)}): ${expected}`);
  }

  #unexpectedValue(code: number): JsonError {
    if (code === UPPER_N && this.#text.startsWith("NaN", this.#at)) {
      return this.error("Non-standard token 'NaN': enable JsonParser.Feature.ALLOW_NON_NUMERIC_NUMBERS to allow");
    }
    if (code === SLASH) {
      return this.unexpected(
        code,
        "maybe a (non-standard) comment? (not recognized as one since Feature 'ALLOW_COMMENTS' not enabled for parser)",
      );
    }
    return this.unexpected(code, "expected a valid value (number, String, array, object, 'true', 'false' or 'null')");
  }

  #enter(): void {
    this.#at++;
    this.#depth++;
    if (this.#depth > MAXIMUM_DEPTH) {
      throw this.error(`Nesting is deeper than ${MAXIMUM_DEPTH} levels`);
    }
  }

  #leave(): void {
    this.#at++;
    this.#depth--;
  }

  #expectComma(code: number, container: "OBJECT" | "ARRAY"): void {
    if (code !== COMMA) {
      throw code === -1
        ? this.endOfInput(`: expected close marker for ${container}`)
        : this.unexpected(code, `was expecting comma to separate ${container} entries`);
    }
    this.#at++;
  }

  #readMap(): ReadonlyMap<string, JsonValue> {
    const map = new Map<string, JsonValue>();
    this.readMembers((name) => {
      map.set(name, this.readValue());
    });
    return map;
  }

  #readList(): readonly JsonValue[] {
    const list: JsonValue[] = [];
    this.readElements(() => {
      list.push(this.readValue());
    });
    return list;
  }

  #readWord<T>(word: string, value: T): T {
    const end = this.#at + word.length;
    if (!this.#text.startsWith(word, this.#at) || isWordPart(this.#text.charCodeAt(end))) {
      const token = /^\w*/.exec(this.#text.slice(this.#at, this.#at + 100))?.[0] ?? "";
      this.#at += token.length;
      throw this.error(`Unrecognized token '${token}': was expecting 'null', 'true', 'false' or NaN`);
    }
    this.#at = end;
    return value;
  }

  #numberToken(): JsonToken {
    const code = this.peek();
    if (code !== MINUS && !isDigit(code)) {
      throw code === -1 ? this.endOfInput("") : this.#unexpectedValue(code);
    }
    return /^-?\d+[.eE]/.test(this.#text.slice(this.#at, this.#at + MAXIMUM_NUMBER_LENGTH))
      ? "VALUE_NUMBER_FLOAT"
      : "VALUE_NUMBER_INT";
  }

  #readNumber(): number | bigint | WholeFloat {
    const text = this.#text;
    const start = this.#at;
    let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
    const integerEnd = this.#digitsEnd(at, "in a number");
    if (text.charCodeAt(at) === ZERO && integerEnd > at + 1) {
      this.#at = at + 1;
      throw this.error("Invalid numeric value: Leading zeroes not allowed");
    }
    at = integerEnd;
    let isFloat = false;
    if (text.charCodeAt(at) === DOT) {
      isFloat = true;
      at = this.#digitsEnd(at + 1, "Decimal point not followed by a digit");
    }
    if (text.charCodeAt(at) === LOWER_E || text.charCodeAt(at) === UPPER_E) {
      isFloat = true;
      at++;
      if (text.charCodeAt(at) === PLUS || text.charCodeAt(at) === MINUS) {
        at++;
      }
      at = this.#digitsEnd(at, "Exponent indicator not followed by a digit");
    }
    if (at - start > MAXIMUM_NUMBER_LENGTH) {
      throw this.error(`Number is longer than ${MAXIMUM_NUMBER_LENGTH} characters`);
    }
    this.#at = at;
    const digits = text.slice(start, at);
    if (isFloat) {
      return floatOf(Number(digits));
    }
    return digits.length <= SAFE_DIGITS ? Number(digits) + 0 : integerOf(BigInt(digits));
  }

  #digitsEnd(start: number, problem: string): number {
    let at = start;
    while (isDigit(this.#text.charCodeAt(at))) {
      at++;
    }
    if (at === start) {
      this.#at = at;
      throw at >= this.#text.length
        ? this.endOfInput("")
        : this.unexpected(this.#text.charCodeAt(at), `expected a digit: ${problem}`);
    }
    return at;
  }

  /** The rest of a string from its first backslash on; `head` is what was before. */
  #readEscapedString(head: string): string {
    const text = this.#text;
    const parts = [head];
    let start = this.#at;
    for (let at = start; at < text.length;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        parts.push(text.slice(start, at));
        this.#at = at + 1;
        return parts.join("");
      }
      if (code === BACKSLASH) {
        parts.push(text.slice(start, at));
        this.#at = at + 1;
        parts.push(this.#readEscape());
        at = this.#at;
        start = at;
        continue;
      }
      if (code < SPACE) {
        this.#at = at;
        throw this.error(
          `Illegal unquoted character ((CTRL-CHAR, code ${code})): has to be escaped using backslash to be included in string value`,
        );
      }
      at++;
    }
    this.#at = text.length;
    throw this.endOfInput(" in VALUE_STRING");
  }

  #readEscape(): string {
    const code = this.#text.charCodeAt(this.#at);
    if (Number.isNaN(code)) {
      throw this.endOfInput(" in character escape sequence");
    }
    if (code === LOWER_U) {
      const hex = this.#text.slice(this.#at + 1, this.#at + 5);
      if (!/^[\da-fA-F]{4}$/.test(hex)) {
        const good = /^[\da-fA-F]*/.exec(hex)?.[0].length ?? 0;
        this.#at += 1 + good;
        throw this.#at >= this.#text.length
          ? this.endOfInput(" in character escape sequence")
          : this.unexpected(this.#text.charCodeAt(this.#at), "expected a hex-digit for character escape sequence");
      }
      this.#at += 5;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const character = ESCAPES.get(code);
    if (character === undefined) {
      throw this.error(`Unrecognized character escape ${describe(code)}`);
    }
    this.#at++;
    return character;
  }
}

/** Reads a whole text as one value; blanks may surround it. */
export function parseJson(text: string): JsonValue {
  const reader = new JsonReader(text);
  const value = reader.readValue();
  reader.expectEnd();
  return value;
}

function describe(code: number): string {
  return code < 32 ? `(CTRL-CHAR, code ${code})` : `'${String.fromCharCode(code)}' (code ${code})`;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 57;
}

function isWordPart(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

const BYTE_ORDER_MARK = 0xfeff;
const TAB = 9;
const NEW_LINE = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const SLASH = 47;
const ZERO = 48;
const COLON = 58;
const UPPER_E = 69;
const UPPER_N = 78;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const LOWER_E = 101;
const LOWER_F = 102;
const LOWER_N = 110;
const LOWER_T = 116;
const LOWER_U = 117;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Any integer of this many characters is a safe JavaScript number. */
const SAFE_DIGITS = 15;

const ESCAPES: ReadonlyMap<number, string> = new Map(
  Object.entries({ '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }).map(
    ([letter, character]) => [letter.charCodeAt(0), character],
  ),
);
