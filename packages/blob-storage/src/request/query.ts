import { StorageError } from "../errors/storage-error.ts";

export interface QueryParameter {
  /** Decoded, lower-case: the service compares names without case. */
  readonly name: string;
  /** Percent-decoded; a `+` stays a plus. */
  readonly value: string;
  /** As it stood in the URL. */
  readonly rawValue: string;
}

/** The query of a request's URL. */
export class Query {
  readonly parameters: readonly QueryParameter[];

  /**
   * @param text  what follows the `?`, still percent-encoded
   * @throws StorageError `InvalidUri` for broken percent-encoding
   */
  constructor(text: string) {
    this.parameters = text
      .split("&")
      .filter((part) => part !== "")
      .map(parseParameter);
  }

  /** The first value of a parameter. */
  find(name: string): string | undefined {
    return this.parameters.find((parameter) => parameter.name === name)?.value;
  }

  has(name: string): boolean {
    return this.parameters.some((parameter) => parameter.name === name);
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
