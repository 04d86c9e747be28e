import { must } from "@trefoil/base";
import { headerText } from "../request/header-text.ts";
import { type RawHeader } from "../request/request-headers.ts";

/** How names are compared: as the service does it, or by code unit as hand-written clients do (storage §3.3). */
export type HeaderOrder = "service" | "code-unit";

export interface CanonicalizedHeadersOptions {
  readonly order: HeaderOrder;
  /** Old versions left headers without a value out (storage §3.2). */
  readonly dropEmpty: boolean;
}

/**
 * The own-family headers as they are signed: `name:value` with a line feed after each, names in lower case and in
 * order, values trimmed, folded lines joined, several of one name joined by commas.
 *
 * @source identity-and-storage §5.6, storage §3.2 and §3.3
 */
export function canonicalizeHeaders(own: readonly RawHeader[], options: CanonicalizedHeadersOptions): string {
  const compare = options.order === "service" ? compareAsService : compareByCodeUnit;
  // Sorting leaves those of one name in the order they were sent in.
  const headers = own.map(({ name, value }) => ({ name: name.toLowerCase(), value: unfolded(value) }));
  headers.sort((left, right) => compare(left.name, right.name));
  let text = "";
  for (let index = 0; index < headers.length; index += 1) {
    const { name, value: first } = must(headers[index], "the index is within");
    let value = first;
    while (headers[index + 1]?.name === name) {
      index += 1;
      value += `,${headers[index]?.value ?? ""}`;
    }
    if (value !== "" || !options.dropEmpty) {
      text += `${name}:${value}\n`;
    }
  }
  return text;
}

function unfolded(value: string): string {
  const text = headerText(value);
  return (text.includes("\n") ? text.replace(/\r?\n\s*/gu, " ") : text).trim();
}

/** `-` before `_` before digits before letters; a shorter name before the longer one that begins with it. */
function compareAsService(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const difference = weight(left.charCodeAt(index)) - weight(right.charCodeAt(index));
    if (difference !== 0) {
      return difference;
    }
  }
  return left.length - right.length;
}

const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_A = 0x61;
const LETTER_Z = 0x7a;

/** Ranks other characters of a header name between the underscore and the digits, by code. */
function weight(code: number): number {
  if (code === HYPHEN) {
    return 0;
  }
  if (code === UNDERSCORE) {
    return 1;
  }
  if (code >= ZERO && code <= NINE) {
    return 1000 + code;
  }
  return code >= LETTER_A && code <= LETTER_Z ? 2000 + code : 2 + code;
}

function compareByCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
