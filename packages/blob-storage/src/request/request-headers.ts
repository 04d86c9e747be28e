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
  readonly #values: ReadonlyMap<string, string>;
  readonly #own: readonly RawHeader[];

  /**
   * @param rawHeaders  name, value, name, value …, as `IncomingMessage.rawHeaders` has them
   * @throws StorageError when headers of both families are present
   */
  constructor(rawHeaders: readonly string[]) {
    const headers = pairs(rawHeaders);
    this.#values = joined(headers);
    this.family = headerFamilyOf(this.#values.keys());
    this.#own = headers.filter((header) => header.name.toLowerCase().startsWith(this.family));
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
    return this.#own;
  }
}

function pairs(rawHeaders: readonly string[]): RawHeader[] {
  const headers: RawHeader[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.push({ name: rawHeaders[index] ?? "", value: rawHeaders[index + 1] ?? "" });
  }
  return headers;
}

function joined(headers: readonly RawHeader[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    const before = values.get(key);
    values.set(key, before === undefined ? value : `${before},${value}`);
  }
  return values;
}
