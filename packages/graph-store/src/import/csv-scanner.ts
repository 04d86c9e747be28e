import { Buffer, isUtf8 } from "node:buffer";
import { ImportError } from "./import-error.ts";

/** The present row of a scanner, for whoever reads it field by field. */
export interface CsvRow {
  /** Of its first line, counted from 1. */
  readonly line: number;
  readonly fieldCount: number;
  /** Without quotes. */
  text(field: number): string;
  /** An empty field is no value; `""` is an empty text. */
  isMissing(field: number): boolean;
}

const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const MINUS = 45;
const ZERO = 48;
const LONGEST_ROW = 16 * 2 ** 20;
/** A number of so many digits is exact. */
const MOST_DIGITS = 15;

/** How a field stands in the file. */
const PLAIN = 0;
const QUOTED = 1;
/** Quoted, with quotes inside, each written twice. */
const ESCAPED = 2;

/**
 * Finds rows in bytes as they come (RFC 4180 in UTF-8; lines end in LF, CRLF or CR, empty lines are skipped). Bytes are
 * fed in pieces cut anywhere; {@link CsvScanner.next} goes to the next row whose end was seen. Nothing is made of a field
 * until it is asked for, so that a number costs no text.
 */
export class CsvScanner implements CsvRow {
  readonly #file: string;
  readonly #delimiterText: string;
  readonly #delimiter: number;
  /** What follows the first byte of a delimiter beyond ASCII. */
  readonly #delimiterRest: Uint8Array;
  /** 1 for the bytes at which a field may end. */
  readonly #fieldEnds = new Uint8Array(256);
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #isLast = false;
  /** Up to here the bytes are UTF-8, so that fields need not be looked at one by one. */
  #utf8Until = 0;
  #line = 1;
  #nextLine = 1;
  #count = 0;
  #starts = new Int32Array(16);
  #ends = new Int32Array(16);
  #marks = new Uint8Array(16);

  constructor(file: string, delimiter: string) {
    const bytes = Buffer.from(delimiter);
    this.#file = file;
    this.#delimiterText = delimiter;
    this.#delimiter = bytes[0] as number;
    this.#delimiterRest = bytes.subarray(1);
    for (const byte of [this.#delimiter, LINE_FEED, CARRIAGE_RETURN]) {
      this.#fieldEnds[byte] = 1;
    }
  }

  get line(): number {
    return this.#line;
  }

  get fieldCount(): number {
    return this.#count;
  }

  /** The bytes in which {@link CsvScanner.startOf} and {@link CsvScanner.endOf} lie, until more are fed. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** @throws ImportError  when what is left of the last piece is longer than any row should be */
  feed(piece: Buffer): void {
    const rest = this.#bytes.subarray(this.#at);
    if (rest.length > LONGEST_ROW) {
      const value = rest.toString("utf8", 0, 20);
      throw new ImportError(
        { file: this.#file, line: this.#nextLine, column: 1, value },
        "The row is longer than 16 MiB: is a quote not closed?",
        { isFinal: true },
      );
    }
    this.#bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    this.#at = 0;
    // A character may be cut at the end of a piece, but none goes over the end of a line.
    const lines = this.#bytes.lastIndexOf(LINE_FEED) + 1;
    this.#utf8Until = isUtf8(this.#bytes.subarray(0, lines)) ? lines : 0;
  }

  /** No more bytes come: what is left is the last row. */
  end(): void {
    this.#isLast = true;
  }

  /**
   * Goes to the next row; false when more bytes are needed, or none are left.
   *
   * @throws ImportError  for a row that cannot be read; unless it is final, the next call goes on behind it
   */
  next(): boolean {
    for (;;) {
      if (this.#at >= this.#bytes.length) {
        return false;
      }
      const next = this.#row();
      if (next < 0) {
        return false;
      }
      this.#at = next;
      this.#checkText();
      if (this.#count > 1 || !this.isMissing(0)) {
        return true;
      }
    }
  }

  #checkText(): void {
    if (this.#at <= this.#utf8Until) {
      return;
    }
    for (let field = 0; field < this.#count; field++) {
      if (!isUtf8(this.#bytes.subarray(this.#starts[field], this.#ends[field]))) {
        const place = { file: this.#file, line: this.#line, column: field + 1, value: this.text(field).slice(0, 20) };
        throw new ImportError(place, "The value is not in UTF-8.");
      }
    }
  }

  isMissing(field: number): boolean {
    return this.#starts[field] === this.#ends[field] && this.#marks[field] === PLAIN;
  }

  startOf(field: number): number {
    return this.#starts[field] as number;
  }

  endOf(field: number): number {
    return this.#ends[field] as number;
  }

  /** Whether the bytes of the field are its text. */
  isVerbatim(field: number): boolean {
    return this.#marks[field] !== ESCAPED;
  }

  text(field: number): string {
    const text = this.#bytes.toString("utf8", this.#starts[field] as number, this.#ends[field] as number);
    return this.#marks[field] === ESCAPED ? text.replaceAll('""', '"') : text;
  }

  /** Whether the field is written as these bytes. */
  is(field: number, written: Uint8Array): boolean {
    const start = this.#starts[field] as number;
    if ((this.#ends[field] as number) - start !== written.length) {
      return false;
    }
    for (let at = 0; at < written.length; at++) {
      if (this.#bytes[start + at] !== written[at]) {
        return false;
      }
    }
    return true;
  }

  /** A copy of how the field is written. */
  written(field: number): Uint8Array {
    return Uint8Array.from(this.#bytes.subarray(this.#starts[field], this.#ends[field]));
  }

  /**
   * The number that the field is written as in the one usual way, of at most 15 digits; NaN for everything else ("007",
   * "+1", " 1"), which may still be a number to {@link CsvScanner.text}'s readers.
   */
  integer(field: number): number {
    const bytes = this.#bytes;
    const end = this.#ends[field] as number;
    let at = this.#starts[field] as number;
    const isNegative = bytes[at] === MINUS;
    at += isNegative ? 1 : 0;
    const digits = end - at;
    if (digits === 0 || digits > MOST_DIGITS || (bytes[at] === ZERO && (digits > 1 || isNegative))) {
      return Number.NaN;
    }
    let number = 0;
    for (; at < end; at += 1) {
      const digit = (bytes[at] as number) - ZERO;
      if (digit < 0 || digit > 9) {
        return Number.NaN;
      }
      number = number * 10 + digit;
    }
    return isNegative ? -number : number;
  }

  /** Reads the row that begins at `#at`; where the next one begins, or -1 when this one may go on in bytes to come. */
  #row(): number {
    const bytes = this.#bytes;
    const { length } = bytes;
    const delimiter = this.#delimiter;
    const ends = this.#fieldEnds;
    this.#line = this.#nextLine;
    this.#count = 0;
    let at = this.#at;
    let lines = 1;
    for (;;) {
      if (bytes[at] === QUOTE) {
        const close = this.#closingQuote(at);
        if (close < 0) {
          return -1;
        }
        lines += this.#linesWithin(at + 1, close);
        at = close + 1;
      } else {
        const start = at;
        for (; at < length; at += 1) {
          const byte = bytes[at] as number;
          if (ends[byte] === 1 && (byte !== delimiter || this.#isDelimiter(at))) {
            break;
          }
        }
        if (this.#mayGoOn(at)) {
          return -1;
        }
        this.#addField(start, at, PLAIN);
      }
      if (bytes[at] === delimiter && this.#mayGoOn(at)) {
        return -1;
      }
      if (bytes[at] === delimiter && this.#isDelimiter(at)) {
        at += 1 + this.#delimiterRest.length;
        continue;
      }
      const isOver = this.#isRowEnd(at);
      const next = this.#afterRow(isOver ? at : this.#rowEnd(at));
      if (next >= 0) {
        this.#nextLine += lines;
      }
      if (next >= 0 && !isOver) {
        this.#at = next;
        const value = bytes.toString("utf8", at, next).trimEnd().slice(0, 20);
        throw new ImportError(
          { file: this.#file, line: this.#line, column: this.#count, value },
          `After a closing quote there must be '${this.#delimiterText}' or the end of the line.`,
        );
      }
      return next;
    }
  }

  #addField(start: number, end: number, mark: number): void {
    const field = this.#count;
    if (field === this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#ends = doubled(this.#ends);
      this.#marks = doubled(this.#marks);
    }
    this.#starts[field] = start;
    this.#ends[field] = end;
    this.#marks[field] = mark;
    this.#count = field + 1;
  }

  /** Where the field that opens at `open` has its closing quote, -1 when that may be in bytes to come. */
  #closingQuote(open: number): number {
    const bytes = this.#bytes;
    let mark = QUOTED;
    for (let at = open + 1; ; at += 2) {
      at = bytes.indexOf(QUOTE, at);
      if (at < 0 && this.#isLast) {
        const value = bytes.toString("utf8", open).slice(0, 20);
        throw new ImportError(
          { file: this.#file, line: this.#line, column: this.#count + 1, value },
          "The quote is never closed.",
          { isFinal: true },
        );
      }
      if (at < 0 || (at + 1 === bytes.length && !this.#isLast)) {
        return -1;
      }
      if (bytes[at + 1] !== QUOTE) {
        this.#addField(open + 1, at, mark);
        return at;
      }
      mark = ESCAPED;
    }
  }

  /** Whether what is at `at` depends on bytes to come: none are here, or a delimiter of several may be cut. */
  #mayGoOn(at: number): boolean {
    return !this.#isLast && at + this.#delimiterRest.length >= this.#bytes.length;
  }

  /** Whether the first byte of a delimiter is followed by the others. */
  #isDelimiter(at: number): boolean {
    for (let index = 0; index < this.#delimiterRest.length; index++) {
      if (this.#bytes[at + 1 + index] !== this.#delimiterRest[index]) {
        return false;
      }
    }
    return true;
  }

  #isRowEnd(at: number): boolean {
    const byte = this.#bytes[at];
    return byte === undefined || byte === LINE_FEED || byte === CARRIAGE_RETURN;
  }

  /** Where the line ends that goes on at `at`. */
  #rowEnd(at: number): number {
    let end = at;
    while (!this.#isRowEnd(end)) {
      end += 1;
    }
    return end;
  }

  /** Where the next row begins behind the end of this one at `at`; -1 when that depends on bytes to come. */
  #afterRow(at: number): number {
    const bytes = this.#bytes;
    if (at >= bytes.length) {
      return this.#isLast ? at : -1;
    }
    if (bytes[at] === LINE_FEED) {
      return at + 1;
    }
    if (at + 1 === bytes.length && !this.#isLast) {
      return -1;
    }
    return bytes[at + 1] === LINE_FEED ? at + 2 : at + 1;
  }

  #linesWithin(start: number, end: number): number {
    let lines = 0;
    for (let at = start; at < end; at += 1) {
      lines += this.#bytes[at] === LINE_FEED ? 1 : 0;
    }
    return lines;
  }
}

function doubled<A extends Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(array: A): A {
  const Kind = array.constructor as new (length: number) => A;
  const copy = new Kind(array.length * 2);
  copy.set(array);
  return copy;
}
