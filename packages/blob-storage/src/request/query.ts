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
 * @throws StorageError `InvalidUri` for broken percent-encoding
 */
export const parseQuery: (text: string) => Query = remembered(256, (text) => new Query(text));

/** The query of a request's URL. */
export class Query {
  readonly parameters: readonly QueryParameter[];
  readonly #byName: ReadonlyMap<string, string>;

  /**
   * @param text  what follows the `?`, still percent-encoded
   * @throws StorageError `InvalidUri` for broken percent-encoding
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
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StorageError("InvalidUri");
  }
}
