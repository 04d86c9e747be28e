import { IdentityError } from "./identity-error.ts";
import { CLIENT_REQUEST_ID } from "./parameters.ts";

/** The fields of a form body: each at most once, empty ones absent. */
export interface FormBody {
  find(name: string): string | undefined;
  /** @throws IdentityError 900144 naming the field when it is absent or empty */
  get(name: string): string;
  /** Of fields that were there more than once none of the values counts. */
  readonly repeated: ReadonlySet<string>;
}

const MEDIA_TYPE = "application/x-www-form-urlencoded";
/** Far above what a client sends; bounds the work an unauthenticated request can cause. */
const FIELD_LIMIT = 100;
/** Parameters that clients are known to send both in the query and, carelessly, twice in the body. */
const REPEATABLE: ReadonlySet<string> = new Set([CLIENT_REQUEST_ID]);

/**
 * Reads a form body in which no field may be repeated.
 *
 * @throws IdentityError as {@link readFormBody} does, and 90014 for a repeated field
 */
export function parseFormBody(contentType: string | undefined, body: string): FormBody {
  const form = readFormBody(contentType, body);
  refuseRepeated(form);
  return form;
}

/** @throws IdentityError 90014 for a repeated field, or for one among those that are named */
export function refuseRepeated({ repeated }: FormBody, names: Iterable<string> = repeated): void {
  for (const name of names) {
    if (repeated.has(name)) {
      throw new IdentityError(90014, { name, reason: "it appears more than once" });
    }
  }
}

/**
 * Reads a form body. Unknown fields are kept and ignored by everybody.
 *
 * @param contentType  any charset suffix is tolerated as long as the media type is right; so is having none, as the
 *        Java clients of the device endpoint do
 * @throws IdentityError 9002313 for another media type, broken percent-encoding, a NUL or too many fields
 */
export function readFormBody(contentType: string | undefined, body: string): FormBody {
  const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (mediaType !== "" && mediaType !== MEDIA_TYPE && body.length > 0) {
    throw new IdentityError(9002313, { reason: `the content type must be ${MEDIA_TYPE}` });
  }
  return parseFields(body);
}

class ParsedFormBody implements FormBody {
  readonly #fields: ReadonlyMap<string, string>;
  readonly repeated: ReadonlySet<string>;

  constructor(fields: ReadonlyMap<string, string>, repeated: ReadonlySet<string>) {
    this.#fields = fields;
    this.repeated = repeated;
  }

  find(name: string): string | undefined {
    const value = this.#fields.get(name);
    return value === "" ? undefined : value;
  }

  get(name: string): string {
    const value = this.find(name);
    if (value === undefined) {
      throw new IdentityError(900144, { name });
    }
    return value;
  }
}

const NONE: ReadonlySet<string> = new Set();

function parseFields(body: string): ParsedFormBody {
  const fields = new Map<string, string>();
  let repeated = NONE;
  if (body === "") {
    return new ParsedFormBody(fields, repeated);
  }
  const pairs = body.split("&", FIELD_LIMIT + 1);
  if (pairs.length > FIELD_LIMIT) {
    throw new IdentityError(9002313, { reason: `it has more than ${FIELD_LIMIT} fields` });
  }
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? "" : decode(pair.slice(equals + 1));
    if (fields.has(name) && !REPEATABLE.has(name)) {
      repeated = new Set(repeated).add(name);
    }
    if (name !== "") {
      fields.set(name, value);
    }
  }
  for (const name of repeated) {
    fields.delete(name);
  }
  return new ParsedFormBody(fields, repeated);
}

/** Most names and values need no decoding, which is the dearest part of reading a form. */
const ENCODED = /[%+]/;

/** One form-encoded name or value. (RFC 6749 appendix B) */
export function decodeFormValue(text: string): string | undefined {
  if (!ENCODED.test(text)) {
    return text;
  }
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  const value = decodeFormValue(text);
  if (value === undefined) {
    throw new IdentityError(9002313, { reason: "its percent-encoding is broken" });
  }
  if (value.includes("\0")) {
    throw new IdentityError(9002313, { reason: "a field contains a NUL character" });
  }
  return value;
}
