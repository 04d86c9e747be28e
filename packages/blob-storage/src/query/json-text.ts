import { type JsonFormat } from "./read-query-request.ts";
import { DataError, type DataRecord, jsonText, type RecordReader, TextRecords, type Value } from "./records.ts";

/** Reads one JSON object per record. */
export class JsonReader implements RecordReader {
  readonly #records: TextRecords;
  #count = 0;

  constructor({ recordSeparator }: JsonFormat) {
    this.#records = new TextRecords((text, from) => {
      const end = text.indexOf(recordSeparator, from);
      return end < 0 ? undefined : end + recordSeparator.length;
    });
  }

  *read(bytes: Uint8Array): Generator<DataRecord> {
    for (const record of this.#records.read(bytes)) {
      yield* this.#take(record);
    }
  }

  finish(): Iterable<DataRecord> {
    return this.#take(this.#records.finish());
  }

  *#take(text: string): Generator<DataRecord> {
    if (text.trim() === "") {
      return;
    }
    this.#count += 1;
    const parsed = parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
      throw new DataError("ParseError", `record ${this.#count} is no JSON object`);
    }
    yield new JsonRecord(parsed as Readonly<Record<string, Value>>);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

class JsonRecord implements DataRecord {
  readonly #object: Readonly<Record<string, Value>>;

  constructor(object: Readonly<Record<string, Value>>) {
    this.#object = object;
  }

  find(path: readonly string[]): Value {
    let value: unknown = this.#object;
    for (const name of path) {
      const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, name);
      value = isThere ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    }
    return (value ?? null) as Value;
  }

  entries(): readonly (readonly [string, Value])[] {
    return Object.entries(this.#object);
  }
}

/** One record of an answer; a name that comes twice stands twice. */
export function writeJson(entries: readonly (readonly [string, Value])[], { recordSeparator }: JsonFormat): string {
  const members = entries.map(([name, value]) => `${jsonText(name)}:${jsonText(value)}`);
  return `{${members.join(",")}}${recordSeparator}`;
}
