import { StorageError } from "../errors/storage-error.ts";
import { remembered } from "./remembered.ts";

export interface QueryParameter {
  /** Decoded, lower-case: the service compares names without case. */
  readonly name: string;
  /** Percent-decoded; a `+` stays a plus. */
  readonly value: string;
  /** As it stood in the URL. */
  readonly rawValue: string;
}

/**
 * Reads a query; one that comes again, as a shared access signature does, is the same object. Queries don't change.
 *
 * @throws StorageError `InvalidUri` for broken percent-encoding or a NUL
 */
export const parseQuery: (text: string) => Query = remembered(256, (text) => new Query(text));

/** The query of a request's URL. */
export class Query {
  readonly parameters: readonly QueryParameter[];
  readonly #byName: ReadonlyMap<string, string>;

  /**
   * @param text  what follows the `?`, still percent-encoded
   * @throws StorageError `InvalidUri` for broken percent-encoding or a NUL
   */
  constructor(text: string) {
    this.parameters = text
      .split("&")
      .filter((part) => part !== "")
      .map(parseParameter);
    // The first of a name counts.
    this.#byName = new Map(this.parameters.toReversed().map(({ name, value }) => [name, value]));
  }

  /** The first value of a parameter. */
  find(name: string): string | undefined {
    return this.#byName.get(name);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }
}

function parseParameter(part: string): QueryParameter {
  const equals = part.indexOf("=");
  const rawName = equals < 0 ? part : part.slice(0, equals);
  const rawValue = equals < 0 ? "" : part.slice(equals + 1);
  return { name: decode(rawName).toLowerCase(), value: decode(rawValue), rawValue };
}

function decode(text: string): string {
  if (!text.includes("%")) {
    return text;
  }
  let decoded: string | undefined;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    decoded = undefined;
  }
  // Nothing that is stored has a NUL, and no text of the database may.
  if (decoded === undefined || decoded.includes("\0")) {
    throw new StorageError("InvalidUri");
  }
  return decoded;
}
