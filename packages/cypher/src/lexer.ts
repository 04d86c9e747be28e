import { type Mode } from "./ast/node.ts";
import { findLookAlike, isBlank, isDigit, isWordPart, isWordStart, type LookAlike } from "./characters.ts";

export type Punctuation = (typeof PUNCTUATION)[number];

/** `word` is a name or a keyword: the language reserves none, the place decides. */
export type TokenKind =
  | "word"
  | "quoted name"
  | "string"
  | "integer"
  | "float"
  | Punctuation
  | LookAlike
  | "comment"
  | "invalid"
  | "end";

/** Longer ones first where one begins another. `-` and `<` stay single: arrows are put together by patterns. */
const PUNCTUATION = [
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ",",
  ";",
  ":",
  "..",
  ".",
  "+=",
  "+",
  "-",
  "*",
  "/",
  "%",
  "^",
  "=~",
  "=",
  "<>",
  "<=",
  "<",
  ">=",
  ">",
  "!=",
  "!",
  "|",
  "&",
  "$",
  "?",
] as const;

const BY_FIRST_CHARACTER: readonly (readonly Punctuation[] | undefined)[] = indexByFirstCharacter();

/** Why a token is `invalid`. */
export type LexicalFault =
  | "unterminated string"
  | "unterminated name"
  | "unterminated comment"
  | "number"
  | "character";

/**
 * The tokens of a statement as parallel lists; the last one is `end`. Token `i` is `text.slice(starts[i], ends[i])`.
 * Values (unescaped strings, numbers) are read from the text when a parser asks for them.
 */
export interface TokenList {
  readonly kinds: readonly TokenKind[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** For every `invalid` token, by its index. */
  readonly faults: ReadonlyMap<number, LexicalFault>;
}

/**
 * Cuts a statement into tokens, in one pass over its UTF-16 units. Never fails: what is no token becomes an `invalid`
 * one, so that a parser reports the first thing that is wrong in reading order and an editor can colour any text.
 *
 * @param options.comments  keep comments as tokens (an editor wants them, a parser does not)
 */
export function lex(text: string, mode: Mode, options: { readonly comments?: boolean } = {}): TokenList {
  const lexer = new Lexer(text, mode === "2.3", options.comments === true);
  lexer.run();
  return lexer;
}

const DOUBLE_QUOTE = 0x22;
const DOLLAR = 0x24;
const SINGLE_QUOTE = 0x27;
const ASTERISK = 0x2a;
const DOT = 0x2e;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const UNDERSCORE = 0x5f;
const BACKTICK = 0x60;
const NEWLINE = 0x0a;

class Lexer implements TokenList {
  readonly kinds: TokenKind[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly faults = new Map<number, LexicalFault>();
  readonly #text: string;
  /** 2.3 reads `$` as part of a name (measured) and knows no `_` in numbers. */
  readonly #legacy: boolean;
  readonly #keepComments: boolean;
  #offset = 0;

  constructor(text: string, legacy: boolean, keepComments: boolean) {
    this.#text = text;
    this.#legacy = legacy;
    this.#keepComments = keepComments;
  }

  run(): void {
    while (this.#offset < this.#text.length) {
      this.#next(this.#text.charCodeAt(this.#offset));
    }
    this.#push("end", this.#text.length);
  }

  #next(code: number): void {
    if (isBlank(code)) {
      this.#offset += 1;
    } else if (isDigit(code) || (code === DOT && isDigit(this.#peek(1)))) {
      this.#number();
    } else if (this.#startsWord(this.#offset)) {
      this.#push("word", this.#wordEnd(this.#offset));
    } else if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) {
      this.#string(code);
    } else if (code === BACKTICK) {
      this.#quotedName();
    } else if (code === SLASH && this.#peek(1) === SLASH) {
      this.#lineComment();
    } else if (code === SLASH && this.#peek(1) === ASTERISK) {
      this.#blockComment();
    } else {
      this.#punctuation(code);
    }
  }

  #punctuation(code: number): void {
    for (const candidate of BY_FIRST_CHARACTER[code] ?? []) {
      if (candidate.length === 1 || this.#text.startsWith(candidate, this.#offset)) {
        this.#push(candidate, this.#offset + candidate.length);
        return;
      }
    }
    const lookAlike = findLookAlike(code);
    if (lookAlike === undefined) {
      this.#fault("character", this.#offset + ((this.#text.codePointAt(this.#offset) ?? 0) > 0xffff ? 2 : 1));
    } else {
      this.#push(lookAlike, this.#offset + 1);
    }
  }

  /** A number swallows every name character behind it: `0x1G` and `12ab` are one bad number, never two tokens. */
  #number(): void {
    const start = this.#offset;
    let end = this.#digitsEnd(start);
    let kind: "integer" | "float" = "integer";
    const isPrefixed = end === start + 1 && this.#text.charCodeAt(start) === 0x30 && this.#isRadixMark(end);
    if (!isPrefixed) {
      if (this.#text.charCodeAt(end) === DOT && isDigit(this.#text.charCodeAt(end + 1))) {
        kind = "float";
        end = this.#digitsEnd(end + 1);
      } else if (this.#legacy && this.#text.charCodeAt(end) === DOT && this.#startsWord(end + 1)) {
        // `1.e5` is a number in 2.3, and `1.a` a bad one.
        end += 1;
      }
      const exponentEnd = this.#exponentEnd(end);
      if (exponentEnd > end) {
        kind = "float";
        end = exponentEnd;
      }
    }
    const wordEnd = this.#wordEnd(end);
    if (isPrefixed) {
      this.#prefixedNumber(start, wordEnd);
    } else if (wordEnd > end) {
      this.#fault("number", wordEnd);
    } else if (this.#text.charCodeAt(end - 1) === UNDERSCORE) {
      this.#fault("number", end);
    } else {
      this.#push(kind, end);
    }
  }

  #prefixedNumber(start: number, end: number): void {
    let position = start + 2;
    const written = this.#text.charCodeAt(start + 1);
    const mark = this.#legacy ? written : written | 0x20;
    const isWellFormed = end > position && (mark === 0x78 || (mark === 0x6f && !this.#legacy));
    while (position < end && isWellFormed && this.#isRadixDigit(this.#text.charCodeAt(position), mark === 0x78)) {
      position += 1;
    }
    if (isWellFormed && position === end) {
      this.#push("integer", end);
    } else {
      this.#fault("number", end);
    }
  }

  #isRadixMark(offset: number): boolean {
    const mark = this.#text.charCodeAt(offset) | 0x20;
    return mark === 0x78 || mark === 0x6f;
  }

  #isRadixDigit(code: number, hexadecimal: boolean): boolean {
    if (code === UNDERSCORE) {
      return !this.#legacy;
    }
    const letter = code | 0x20;
    return hexadecimal ? isDigit(code) || (letter >= 0x61 && letter <= 0x66) : code >= 0x30 && code <= 0x37;
  }

  #digitsEnd(offset: number): number {
    let end = offset;
    for (;;) {
      const code = this.#text.charCodeAt(end);
      if (!isDigit(code) && (code !== UNDERSCORE || this.#legacy || end === offset)) {
        return end;
      }
      end += 1;
    }
  }

  /** 2.3 knows no plus sign in an exponent. */
  #exponentEnd(offset: number): number {
    if ((this.#text.charCodeAt(offset) | 0x20) !== 0x65) {
      return offset;
    }
    const sign = this.#text.charCodeAt(offset + 1);
    const isSigned = sign === 0x2d || (sign === 0x2b && !this.#legacy);
    const digits = isSigned ? offset + 2 : offset + 1;
    const end = this.#digitsEnd(digits);
    return end > digits ? end : offset;
  }

  #startsWord(offset: number): boolean {
    const code = this.#text.charCodeAt(offset);
    return isWordStart(code < 0x80 ? code : (this.#text.codePointAt(offset) ?? 0)) || (this.#legacy && code === DOLLAR);
  }

  #wordEnd(offset: number): number {
    let end = offset;
    while (end < this.#text.length) {
      const code = this.#text.charCodeAt(end);
      const point = code < 0x80 ? code : (this.#text.codePointAt(end) ?? 0);
      if (!isWordPart(point) && !(this.#legacy && code === DOLLAR)) {
        break;
      }
      end += point > 0xffff ? 2 : 1;
    }
    return end;
  }

  #string(quote: number): void {
    let end = this.#offset + 1;
    for (; end < this.#text.length; end += 1) {
      const code = this.#text.charCodeAt(end);
      if (code === quote) {
        this.#push("string", end + 1);
        return;
      }
      if (code === BACKSLASH) {
        end += 1;
      }
    }
    this.#fault("unterminated string", this.#text.length);
  }

  #quotedName(): void {
    let end = this.#offset;
    do {
      end = this.#text.indexOf("`", end + 1) + 1;
      if (end === 0) {
        this.#fault("unterminated name", this.#text.length);
        return;
      }
    } while (this.#text.charCodeAt(end) === BACKTICK);
    this.#push("quoted name", end);
  }

  #lineComment(): void {
    let end = this.#offset;
    while (end < this.#text.length && this.#text.charCodeAt(end) !== NEWLINE) {
      end += 1;
    }
    this.#comment(end);
  }

  #blockComment(): void {
    const close = this.#text.indexOf("*/", this.#offset + 2);
    if (close < 0) {
      this.#fault("unterminated comment", this.#text.length);
    } else {
      this.#comment(close + 2);
    }
  }

  #comment(end: number): void {
    if (this.#keepComments) {
      this.#push("comment", end);
    } else {
      this.#offset = end;
    }
  }

  #fault(fault: LexicalFault, end: number): void {
    this.faults.set(this.kinds.length, fault);
    this.#push("invalid", end);
  }

  #push(kind: TokenKind, end: number): void {
    this.kinds.push(kind);
    this.starts.push(this.#offset);
    this.ends.push(end);
    this.#offset = end;
  }

  #peek(distance: number): number {
    return this.#text.charCodeAt(this.#offset + distance);
  }
}

function indexByFirstCharacter(): readonly (readonly Punctuation[] | undefined)[] {
  const index: Punctuation[][] = [];
  for (const word of PUNCTUATION) {
    (index[word.charCodeAt(0)] ??= []).push(word);
  }
  return index;
}
