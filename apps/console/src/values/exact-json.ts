import { WholeFloat } from "./whole-float.ts";

/** JSON with exact numbers (see `Value`), objects as maps in the order of the text. */
export type ExactJson =
  | null
  | boolean
  | string
  | number
  | bigint
  | WholeFloat
  | readonly ExactJson[]
  | ReadonlyMap<string, ExactJson>;

/**
 * Reads JSON without losing digits: `JSON.parse` rounds integers beyond 2^53 and cannot tell `1` from `1.0`.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): ExactJson {
  const reader = new Reader(text);
  const value = reader.readValue();
  reader.expectEnd();
  return value;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readValue(): ExactJson {
    switch (this.#peek()) {
      case "{":
        return this.#readObject();
      case "[":
        return this.#readArray();
      case '"':
        return this.#readString();
      case "t":
        return this.#readWord("true", true);
      case "f":
        return this.#readWord("false", false);
      case "n":
        return this.#readWord("null", null);
      default:
        return this.#readNumber();
    }
  }

  expectEnd(): void {
    if (this.#peek() !== "") {
      throw this.#error();
    }
  }

  #readObject(): ReadonlyMap<string, ExactJson> {
    const members = new Map<string, ExactJson>();
    this.#at += 1;
    if (this.#peek() === "}") {
      this.#at += 1;
      return members;
    }
    do {
      if (this.#peek() !== '"') {
        throw this.#error();
      }
      const name = this.#readString();
      this.#take(":");
      members.set(name, this.readValue());
    } while (this.#hasMore("}"));
    return members;
  }

  #readArray(): readonly ExactJson[] {
    const elements: ExactJson[] = [];
    this.#at += 1;
    if (this.#peek() === "]") {
      this.#at += 1;
      return elements;
    }
    do {
      elements.push(this.readValue());
    } while (this.#hasMore("]"));
    return elements;
  }

  #hasMore(close: string): boolean {
    const next = this.#peek();
    if (next !== "," && next !== close) {
      throw this.#error();
    }
    this.#at += 1;
    return next === ",";
  }

  #readString(): string {
    const start = this.#at;
    STRING.lastIndex = start;
    const match = STRING.exec(this.#text)?.[0];
    if (match === undefined) {
      throw this.#error();
    }
    this.#at = start + match.length;
    return match.includes("\\") ? (JSON.parse(match) as string) : match.slice(1, -1);
  }

  #readWord<T extends ExactJson>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) {
      throw this.#error();
    }
    this.#at += word.length;
    return value;
  }

  #readNumber(): number | bigint | WholeFloat {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) {
      throw this.#error();
    }
    const [digits, fraction] = match;
    this.#at += digits.length;
    const number = Number(digits);
    if (fraction === undefined) {
      return Number.isSafeInteger(number) ? number : BigInt(digits);
    }
    return Number.isInteger(number) ? new WholeFloat(number) : number;
  }

  #take(character: string): void {
    if (this.#peek() !== character) {
      throw this.#error();
    }
    this.#at += 1;
  }

  /** The next character that is no blank; empty at the end. */
  #peek(): string {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) {
        return this.#text.charAt(this.#at);
      }
      this.#at += 1;
    }
  }

  #error(): SyntaxError {
    return new SyntaxError(`The answer is not JSON at character ${this.#at}`);
  }
}

const STRING = /"(?:[^"\\]|\\.)*"/sy;
/** The group is there for floats. */
const NUMBER = /-?\d+(\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)?/y;
