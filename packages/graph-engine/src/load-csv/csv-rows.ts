import { type Value } from "../values/value.ts";
import { type CsvFields, CsvFormatError, CsvSplitter } from "./csv-splitter.ts";
import { type LoadCsvPolicy, resolveCsvResource, resourceFailure } from "./csv-resource.ts";
import { QueryError } from "@trefoil/cypher";
import { openResource, type OpenResource } from "./open-resource.ts";

/** The rows of one LOAD CSV for one row before it. */
export interface CsvRows {
  /** The next rows, at least one; undefined at the end. */
  next(): Promise<readonly Value[] | undefined>;
  /** Gives up what is left; harmless at the end. */
  close(): void;
}

export interface CsvFormat {
  readonly withHeaders: boolean;
  /** One character. */
  readonly fieldTerminator: string;
}

/**
 * Opens what `url` names. A row is a list of texts, with headers a map of them; what is missing is null.
 *
 * @throws  QueryError Statement.ExternalResourceFailure when it is not there or must not be read; from `next` also
 *   DatabaseError.Statement.ExecutionFailure for a quote that is not closed (golden "load-csv")
 */
export async function openCsvRows(url: Value, format: CsvFormat, policy: LoadCsvPolicy): Promise<CsvRows> {
  if (url === null) {
    throw resourceFailure("Invalid URL 'null': null");
  }
  if (typeof url !== "string") {
    throw new QueryError("ClientError.Statement.InvalidType", "Expected the URL of LOAD CSV to be a String", {
      phase: "runtime",
    });
  }
  const resource = await resolveCsvResource(url, policy);
  const source = await openResource(resource);
  const splitter = new CsvSplitter(resource.kind === "file" ? resource.path : resource.name, format.fieldTerminator);
  return new SplitRows(source, splitter, format.withHeaders);
}

class SplitRows implements CsvRows {
  readonly #source: OpenResource;
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #splitter: CsvSplitter;
  readonly #withHeaders: boolean;
  // UTF-8 that is none becomes U+FFFD; a byte order mark is left out.
  readonly #decoder = new TextDecoder();
  #headers: CsvFields | undefined;
  #ended = false;

  constructor(source: OpenResource, splitter: CsvSplitter, withHeaders: boolean) {
    this.#source = source;
    this.#pieces = source.bytes[Symbol.asyncIterator]();
    this.#splitter = splitter;
    this.#withHeaders = withHeaders;
  }

  async next(): Promise<readonly Value[] | undefined> {
    while (!this.#ended) {
      const { value, done } = await this.#pieces.next();
      const rows =
        done === true
          ? this.#last()
          : this.#split(() => this.#splitter.feed(this.#decoder.decode(value, { stream: true })));
      if (this.#withHeaders && this.#headers === undefined) {
        this.#headers = rows.shift();
      }
      if (rows.length > 0) {
        const headers = this.#headers;
        return headers === undefined ? rows : rows.map((row) => withHeaders(row, headers));
      }
    }
    return undefined;
  }

  close(): void {
    this.#ended = true;
    this.#source.close();
  }

  #last(): CsvFields[] {
    this.#ended = true;
    return this.#split(() => [...this.#splitter.feed(this.#decoder.decode()), ...this.#splitter.end()]);
  }

  #split(work: () => CsvFields[]): CsvFields[] {
    try {
      return work();
    } catch (error) {
      this.close();
      if (error instanceof CsvFormatError) {
        throw new QueryError("DatabaseError.Statement.ExecutionFailure", error.message, { phase: "runtime" });
      }
      throw error;
    }
  }
}

/** Of headers of the same name the last one counts; a column without a name is called `null` (2.3). */
function withHeaders(row: CsvFields, headers: CsvFields): ReadonlyMap<string, Value> {
  const map = new Map<string, Value>();
  headers.forEach((header, index) => {
    map.set(header ?? "null", row[index] ?? null);
  });
  return map;
}
