import { StorageError } from "../errors/storage-error.ts";
import { defaultFamily, type HeaderFamily, headerFamilyOf } from "./header-family.ts";

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
  readonly #values = new Map<string, string>();
  /** Those of the family by their names without the prefix: putting names together for a look-up costs more than it. */
  readonly #ownValues = new Map<string, string>();
  #own: readonly RawHeader[] | undefined;

  /**
   * @param rawHeaders  name, value, name, value …, as `IncomingMessage.rawHeaders` has them
   * @throws StorageError `InvalidHeaderValue` when headers of both families are present: those of the second would be
   *   outside the signature
   */
  constructor(rawHeaders: readonly string[]) {
    this.#rawHeaders = rawHeaders;
    let found: HeaderFamily | undefined;
    // Plain loops: this runs for every request.
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      const name = (rawHeaders[index] ?? "").toLowerCase();
      const value = rawHeaders[index + 1] ?? "";
      add(this.#values, name, value);
      const family = headerFamilyOf(name);
      if (family !== undefined) {
        refuseSecond(found, family, name);
        found = family;
        add(this.#ownValues, name.slice(family.length), value);
      }
    }
    this.family = found ?? defaultFamily;
  }

  /** A header by its full lower-case name; several of one name are joined by commas. */
  find(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** A header of the request's own family by its name without the prefix: `blob-type`. */
  findOwn(suffix: string): string | undefined {
    return this.#ownValues.get(suffix);
  }

  /** The headers of the request's family in the order and the case they were sent in. */
  get own(): readonly RawHeader[] {
    this.#own ??= this.#listOwn();
    return this.#own;
  }

  #listOwn(): readonly RawHeader[] {
    const own: RawHeader[] = [];
    for (let index = 0; index + 1 < this.#rawHeaders.length; index += 2) {
      const name = this.#rawHeaders[index] ?? "";
      if (name.toLowerCase().startsWith(this.family)) {
        own.push({ name, value: this.#rawHeaders[index + 1] ?? "" });
      }
    }
    return own;
  }
}

function add(values: Map<string, string>, name: string, value: string): void {
  const before = values.get(name);
  values.set(name, before === undefined ? value : `${before},${value}`);
}

function refuseSecond(found: HeaderFamily | undefined, family: HeaderFamily, name: string): void {
  if (found !== undefined && found !== family) {
    throw new StorageError("InvalidHeaderValue", {
      elements: { HeaderName: name, HeaderValue: "headers of two families in one request" },
    });
  }
}
