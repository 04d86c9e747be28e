import { ImportError } from "./import-error.ts";

/** One line of a CSV file; the arrays are used again for the next one. */
export interface CsvRow {
  /** Of its first line, counted from 1. */
  readonly line: number;
  /** Without quotes. */
  readonly fields: readonly string[];
  /** Whether the field stood in quotes: `""` is an empty text, an empty field is no value. */
  readonly quoted: readonly boolean[];
}

const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const LONGEST_ROW = 16 * 2 ** 20;

/**
 * Splits text into rows as it comes (RFC 4180; lines end in LF or CRLF, empty lines are skipped). Text is fed in pieces
 * cut anywhere; a row is handed out once its end was seen.
 */
export class CsvScanner {
  readonly #delimiter: number;
  readonly #delimiterText: string;
  readonly #onRow: (row: CsvRow) => void;
  readonly #file: string;
  #rest = "";
  #line = 1;
  readonly #fields: string[] = [];
  readonly #quoted: boolean[] = [];

  constructor(file: string, delimiter: string, onRow: (row: CsvRow) => void) {
    this.#file = file;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#delimiterText = delimiter;
    this.#onRow = onRow;
  }

  feed(text: string): void {
    const all = this.#rest + text;
    let at = 0;
    for (;;) {
      const next = this.#row(all, at, false);
      if (next < 0) {
        break;
      }
      at = next;
    }
    this.#rest = all.slice(at);
    if (this.#rest.length > LONGEST_ROW) {
      throw new ImportError(
        { file: this.#file, line: this.#line, column: 1, value: this.#rest.slice(0, 20) },
        "The row is longer than 16 MiB: is a quote not closed?",
      );
    }
  }

  end(): void {
    if (this.#rest.length > 0) {
      this.#row(this.#rest, 0, true);
      this.#rest = "";
    }
  }

  /** Reads the row at `start`; where the next one begins, or -1 when this one may go on in text to come. */
  #row(text: string, start: number, isLast: boolean): number {
    this.#fields.length = 0;
    this.#quoted.length = 0;
    let at = start;
    let lines = 0;
    for (;;) {
      if (text.charCodeAt(at) === QUOTE) {
        const close = this.#closingQuote(text, at, isLast);
        if (close < 0) {
          return -1;
        }
        const value = text.slice(at + 1, close);
        lines += countLines(value);
        this.#fields.push(value.includes('"') ? value.replaceAll('""', '"') : value);
        this.#quoted.push(true);
        at = close + 1;
      } else {
        const end = this.#plainEnd(text, at);
        if (end === text.length && !isLast) {
          return -1;
        }
        this.#fields.push(text.slice(at, end));
        this.#quoted.push(false);
        at = end;
      }
      const code = text.charCodeAt(at);
      if (code === this.#delimiter) {
        at += 1;
        continue;
      }
      const next = this.#afterRow(text, at, isLast);
      if (next >= 0) {
        this.#handOut(lines);
      }
      return next;
    }
  }

  #closingQuote(text: string, open: number, isLast: boolean): number {
    let at = open + 1;
    for (;;) {
      at = text.indexOf('"', at);
      if (at < 0 && isLast) {
        throw new ImportError(
          { file: this.#file, line: this.#line, column: this.#fields.length + 1, value: text.slice(open, open + 20) },
          "The quote is never closed.",
        );
      }
      if (at < 0 || (at + 1 === text.length && !isLast)) {
        return -1;
      }
      if (text.charCodeAt(at + 1) !== QUOTE) {
        return at;
      }
      at += 2;
    }
  }

  #plainEnd(text: string, start: number): number {
    let at = start;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === this.#delimiter || code === LINE_FEED || code === CARRIAGE_RETURN) {
        return at;
      }
    }
    return at;
  }

  /** `at` is behind the last field: a line end, the end of all text, or something that must not follow a quote. */
  #afterRow(text: string, at: number, isLast: boolean): number {
    if (at >= text.length) {
      return isLast ? at : -1;
    }
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) {
      return at + 1;
    }
    if (code === CARRIAGE_RETURN) {
      if (at + 1 === text.length && !isLast) {
        return -1;
      }
      return text.charCodeAt(at + 1) === LINE_FEED ? at + 2 : at + 1;
    }
    throw new ImportError(
      { file: this.#file, line: this.#line, column: this.#fields.length, value: text.slice(at, at + 20) },
      `After a closing quote there must be '${this.#delimiterText}' or the end of the line.`,
    );
  }

  #handOut(linesInside: number): void {
    const isEmpty = this.#fields.length === 1 && this.#fields[0] === "" && this.#quoted[0] === false;
    if (!isEmpty) {
      this.#onRow({ line: this.#line, fields: this.#fields, quoted: this.#quoted });
    }
    this.#line += linesInside + 1;
  }
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    lines += 1;
  }
  return lines;
}
