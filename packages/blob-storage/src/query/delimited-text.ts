import { type DelimitedFormat } from "./read-query-request.ts";
import { type DataRecord, jsonText, type RecordReader, TextRecords, type Value } from "./records.ts";

/** Reads delimited text: fields in quotes may hold separators (RFC 4180, with the format's own characters). */
export class DelimitedReader implements RecordReader {
  readonly #format: DelimitedFormat;
  readonly #records: TextRecords;
  /** Once the first record was read, when it holds the names. */
  #columns: Columns | undefined;

  constructor(format: DelimitedFormat) {
    this.#format = format;
    this.#records = new TextRecords((text, from) => recordEnd(text, from, format));
    this.#columns = format.hasHeaders ? undefined : new Columns([]);
  }

  *read(bytes: Uint8Array): Generator<DataRecord> {
    const { recordSeparator } = this.#format;
    for (const record of this.#records.read(bytes)) {
      yield* this.#take(record.slice(0, -recordSeparator.length));
    }
  }

  finish(): Iterable<DataRecord> {
    return this.#take(this.#records.finish());
  }

  *#take(text: string): Generator<DataRecord> {
    if (text === "") {
      return;
    }
    const fields = readFields(text, this.#format);
    if (this.#columns === undefined) {
      this.#columns = new Columns(fields);
      return;
    }
    yield new DelimitedRecord(fields, this.#columns);
  }
}

/** Where the columns of all records are. */
class Columns {
  readonly #names: readonly string[];
  /** Of what the query asks for. */
  readonly #places = new Map<string, number>();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  nameOf(index: number): string {
    return this.#names[index] ?? `_${index + 1}`;
  }

  /** Of a name, whatever its case, or of `_1` for the first column; -1 for none. */
  placeOf(name: string): number {
    let place = this.#places.get(name);
    if (place === undefined) {
      const [, digits] = /^_([1-9]\d{0,5})$/u.exec(name) ?? [];
      const named = this.#names.findIndex((own) => own.toLowerCase() === name.toLowerCase());
      place = named < 0 && digits !== undefined ? Number(digits) - 1 : named;
      this.#places.set(name, place);
    }
    return place;
  }
}

class DelimitedRecord implements DataRecord {
  readonly #fields: readonly string[];
  readonly #columns: Columns;

  constructor(fields: readonly string[], columns: Columns) {
    this.#fields = fields;
    this.#columns = columns;
  }

  find([name = "", ...rest]: readonly string[]): Value {
    return rest.length > 0 ? null : (this.#fields[this.#columns.placeOf(name)] ?? null);
  }

  entries(): readonly (readonly [string, Value])[] {
    return this.#fields.map((field, index) => [this.#columns.nameOf(index), field] as const);
  }
}

function recordEnd(text: string, from: number, format: DelimitedFormat): number | undefined {
  const { fieldQuote, escapeChar, recordSeparator } = format;
  let search = from;
  for (;;) {
    const end = text.indexOf(recordSeparator, search);
    if (end < 0) {
      return undefined;
    }
    // Not beyond the record: looking for a quote to the end of the text for each record would take its square.
    const quote = fieldQuote === "" ? -1 : text.slice(search, end).indexOf(fieldQuote);
    if (quote < 0) {
      return end + recordSeparator.length;
    }
    const closing = closingQuote(text, search + quote + 1, fieldQuote, escapeChar);
    if (closing === undefined) {
      return undefined;
    }
    search = closing + 1;
  }
}

/** Two quotes in a row close one and open the next: for the search for an end they are none. */
function closingQuote(text: string, from: number, quote: string, escape: string): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (text[at] === escape && escape !== quote) {
      at += 1;
    } else if (text[at] === quote) {
      return at;
    }
  }
  return undefined;
}

function readFields(text: string, format: DelimitedFormat): readonly string[] {
  const { fieldQuote, escapeChar, columnSeparator } = format;
  const isPlain =
    (fieldQuote === "" || !text.includes(fieldQuote)) && (escapeChar === "" || !text.includes(escapeChar));
  if (isPlain) {
    return text.split(columnSeparator);
  }
  const fields: string[] = [];
  let field = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === escapeChar && escapeChar !== fieldQuote && at + 1 < text.length) {
      at += 1;
      field += text[at];
    } else if (fieldQuote !== "" && character === fieldQuote) {
      const isDoubled: boolean = isQuoted && text[at + 1] === fieldQuote;
      field += isDoubled ? fieldQuote : "";
      at += isDoubled ? 1 : 0;
      isQuoted = isDoubled || !isQuoted;
    } else if (!isQuoted && text.startsWith(columnSeparator, at)) {
      fields.push(field);
      field = "";
      at += columnSeparator.length - 1;
    } else {
      field += character;
    }
  }
  return [...fields, field];
}

/** One line of an answer. */
export function writeDelimited(values: readonly Value[], format: DelimitedFormat): string {
  return values.map((value) => quoted(asText(value), format)).join(format.columnSeparator) + format.recordSeparator;
}

function asText(value: Value): string {
  if (value === null) {
    return "";
  }
  return typeof value === "object" ? jsonText(value) : String(value);
}

function quoted(text: string, { columnSeparator, fieldQuote, recordSeparator, escapeChar }: DelimitedFormat): string {
  const isSpecial = [columnSeparator, recordSeparator, fieldQuote].some((mark) => mark !== "" && text.includes(mark));
  if (fieldQuote === "" || !isSpecial) {
    return text;
  }
  return fieldQuote + text.replaceAll(fieldQuote, (escapeChar || fieldQuote) + fieldQuote) + fieldQuote;
}
