/** A row of a CSV file; an empty field without quotes is null. */
export type CsvFields = readonly (string | null)[];

/** What a row or a file did wrong; `message` names the place. */
export class CsvFormatError extends Error {
  override readonly name = "CsvFormatError";
}

const QUOTE = '"';
const BACKSLASH = "\\";
/** Characters: what is longer is no row but an unclosed quote or no text file at all. */
const LONGEST_ROW = 16 * 2 ** 20;

type State = "row start" | "field start" | "plain" | "quoted" | "closed";

/**
 * Splits text into rows as it comes, in pieces cut anywhere (RFC 4180 with backslash escapes inside quotes, cypher.md
 * §2.1): lines end in LF, CR or CRLF, empty lines are skipped, blanks belong to the field. A field ends where its
 * quotes do.
 */
export class CsvSplitter {
  readonly #source: string;
  readonly #terminator: string;
  #state: State = "row start";
  #fields: (string | null)[] = [];
  #field = "";
  #wasQuoted = false;
  /** Inside quotes: a quote or backslash whose meaning the next character decides. */
  #held = "";
  #line = 0;
  #quoteLine = 0;
  #length = 0;
  #afterReturn = false;

  /** @param source  how messages call the file */
  constructor(source: string, terminator: string) {
    this.#source = source;
    this.#terminator = terminator;
  }

  /** The rows that end within `text` and what was fed before. */
  feed(text: string): CsvFields[] {
    const rows: CsvFields[] = [];
    let at = 0;
    while (at < text.length) {
      at = this.#state === "quoted" ? this.#quoted(text, at) : this.#plain(text, at, rows);
      if (this.#length + this.#field.length > LONGEST_ROW) {
        throw new CsvFormatError(`At ${this.#source}:${this.#line} - The row is longer than 16 MiB`);
      }
    }
    return rows;
  }

  /** The last row, when no line end closes it. */
  end(): CsvFields[] {
    if (this.#state === "quoted") {
      if (this.#held !== QUOTE) {
        throw new CsvFormatError(
          `At ${this.#source}:${this.#line} - Missing end for quote (") which started on line ${this.#quoteLine}`,
        );
      }
      this.#closeQuote();
    }
    const rows: CsvFields[] = [];
    this.#endRow(rows);
    return rows;
  }

  /** Takes characters outside quotes up to what ends the field; returns where to go on. */
  #plain(text: string, start: number, rows: CsvFields[]): number {
    let at = start;
    for (; at < text.length; at += 1) {
      const character = text[at];
      if (character === "\n" && this.#afterReturn) {
        this.#afterReturn = false;
        return at + 1;
      }
      this.#afterReturn = false;
      if (character === this.#terminator) {
        this.#field += text.slice(start, at);
        this.#endField();
        this.#state = "field start";
        return at + 1;
      }
      if (character === "\n" || character === "\r") {
        this.#field += text.slice(start, at);
        this.#endRow(rows);
        this.#line += 1;
        this.#afterReturn = character === "\r";
        return at + 1;
      }
      if (this.#state === "closed") {
        throw new CsvFormatError(`At ${this.#source}:${this.#line} - Text behind the closing quote of a field`);
      }
      if (character === QUOTE && this.#state !== "plain") {
        this.#state = "quoted";
        this.#wasQuoted = true;
        this.#quoteLine = this.#line;
        return at + 1;
      }
      this.#state = "plain";
    }
    this.#field += text.slice(start, at);
    return at;
  }

  /** Takes characters inside quotes; returns where to go on. */
  #quoted(text: string, start: number): number {
    let at = start;
    if (this.#held !== "") {
      const character = text[at];
      if (this.#held === QUOTE && character !== QUOTE) {
        this.#closeQuote();
        return at;
      }
      const isEscaped = character === QUOTE || character === BACKSLASH;
      this.#field += isEscaped ? (character ?? "") : this.#held;
      this.#held = "";
      if (!isEscaped) {
        return at;
      }
      return at + 1;
    }
    for (; at < text.length; at += 1) {
      const character = text[at];
      if (character === QUOTE || character === BACKSLASH) {
        this.#field += text.slice(start, at);
        this.#held = character;
        return at + 1;
      }
      if (character === "\n") {
        this.#line += 1;
      }
    }
    this.#field += text.slice(start, at);
    return at;
  }

  #closeQuote(): void {
    this.#held = "";
    this.#state = "closed";
  }

  #endField(): void {
    this.#length += this.#field.length + 1;
    this.#fields.push(this.#field === "" && !this.#wasQuoted ? null : this.#field);
    this.#field = "";
    this.#wasQuoted = false;
  }

  #endRow(rows: CsvFields[]): void {
    if (this.#state !== "row start") {
      this.#endField();
      rows.push(this.#fields);
      this.#fields = [];
    }
    this.#length = 0;
    this.#state = "row start";
  }
}
