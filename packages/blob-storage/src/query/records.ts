import { type Scalar } from "./query-expression.ts";

/** A value of a record: JSON has lists and objects, too. */
export type Value = Scalar | readonly unknown[] | { readonly [name: string]: unknown };

/** One record of the blob. */
export interface DataRecord {
  /** Null for what is not there. */
  find(path: readonly string[]): Value;
  /** All of it, in order, with names. */
  entries(): readonly (readonly [name: string, value: Value])[];
}

/** Takes a blob apart, however its bytes arrive. */
export interface RecordReader {
  /** The records that are whole with these bytes. @throws DataError */
  read(bytes: Uint8Array): Iterable<DataRecord>;
  /** What is left when there are no more bytes. @throws DataError */
  finish(): Iterable<DataRecord>;
}

/** Data that isn't what the query says it is. */
export class DataError extends Error {
  override readonly name: string;

  constructor(name: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = name;
  }
}

/** A value as JSON. @throws DataError for one nested deeper than the machine's stack */
export function jsonText(value: Value): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new DataError("ParseError", "a value is nested too deep", { cause: error });
  }
}

/** A record without end would be kept in memory until the end of the blob. */
export const RECORD_LIMIT_CHARACTERS: number = 1024 * 1024;

/**
 * Splits text that arrives in pieces.
 *
 * @param takeEnd  where a record that begins at the place ends and the next one begins; `undefined` while the end of
 *                 it isn't there yet
 */
export class TextRecords {
  readonly #decoder = new TextDecoder("utf-8");
  readonly #takeEnd: (text: string, from: number) => number | undefined;
  #rest = "";

  constructor(takeEnd: (text: string, from: number) => number | undefined) {
    this.#takeEnd = takeEnd;
  }

  /** @returns each whole record with its separator */
  *read(bytes: Uint8Array): Generator<string> {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    let start = 0;
    for (;;) {
      const end = this.#takeEnd(text, start);
      if (end === undefined) {
        break;
      }
      yield text.slice(start, end);
      start = end;
    }
    this.#rest = text.slice(start);
    if (this.#rest.length > RECORD_LIMIT_CHARACTERS) {
      throw new DataError("RecordTooLarge", `a record is longer than ${RECORD_LIMIT_CHARACTERS} characters`);
    }
  }

  /** The last record, which may have no separator. */
  finish(): string {
    return this.#rest + this.#decoder.decode();
  }
}
