import { type HeaderFamily, headerFamilyOf } from "./header-family.ts";

/**
 * One header as it was sent: the name keeps its case, which metadata names need (storage, appendix C). Its value has
 * one character per byte, as Node reads it, so that it can be given back unchanged; its text is that of header-text.ts.
 */
export interface RawHeader {
  readonly name: string;
  readonly value: string;
}

/** The headers of one request, of one family; read from the raw list because the parsed one lower-cases names. */
export class RequestHeaders {
  readonly family: HeaderFamily;
  readonly #rawHeaders: readonly string[];
  readonly #values: ReadonlyMap<string, string>;

  /**
   * @param rawHeaders  name, value, name, value …, as `IncomingMessage.rawHeaders` has them
   * @throws StorageError when headers of both families are present
   */
  constructor(rawHeaders: readonly string[]) {
    this.#rawHeaders = rawHeaders;
    this.#values = joined(rawHeaders);
    this.family = headerFamilyOf(this.#values.keys());
  }

  /** A header by its full lower-case name; several of one name are joined by commas. */
  find(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** A header of the request's own family by its name without the prefix: `blob-type`. */
  findOwn(suffix: string): string | undefined {
    return this.#values.get(this.family + suffix);
  }

  /** The headers of the request's family in the order and the case they were sent in. */
  get own(): readonly RawHeader[] {
    const own: RawHeader[] = [];
    for (const [name, value] of pairs(this.#rawHeaders)) {
      if (name.toLowerCase().startsWith(this.family)) {
        own.push({ name, value });
      }
    }
    return own;
  }
}

function* pairs(rawHeaders: readonly string[]): Generator<readonly [name: string, value: string]> {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    yield [rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""];
  }
}

/** Plain loops: this runs for every request. */
function joined(rawHeaders: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const value = rawHeaders[index + 1] ?? "";
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before},${value}`);
  }
  return values;
}
