import { type BlobExtras } from "../blobs/blob-extras.ts";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { parseHttpDate } from "../request/http-date.ts";
import { type RequestHeaders } from "../request/request-headers.ts";

/** Until when a blob has to stay as it is, and whether that may be taken back. */
export type ImmutabilityPolicy = Required<Pick<BlobExtras, "immutableUntilMs" | "immutabilityMode">>;

const UNTIL = "immutability-policy-until-date";
const MODE = "immutability-policy-mode";
const HOLD = "legal-hold";

/** Whether a request that makes a blob asks that it be immutable. */
export function asksForImmutability(headers: RequestHeaders): boolean {
  return [UNTIL, MODE, HOLD].some((name) => headers.findOwn(name) !== undefined);
}

/**
 * What a request that makes a blob says of its immutability, as the row keeps it.
 *
 * @throws StorageError `MissingRequiredHeader` or `InvalidHeaderValue`
 * @source storage, appendix A (WORM)
 */
export function readImmutability(headers: RequestHeaders, nowMs: number): BlobExtras {
  const hasPolicy = headers.findOwn(UNTIL) !== undefined || headers.findOwn(MODE) !== undefined;
  return {
    ...(hasPolicy ? readPolicy(headers, nowMs) : {}),
    ...(headers.findOwn(HOLD) === undefined ? {} : { legalHold: readLegalHold(headers) }),
  };
}

/** @throws StorageError `MissingRequiredHeader` or, for a time that is over too, `InvalidHeaderValue` */
export function readPolicy(headers: RequestHeaders, nowMs: number): ImmutabilityPolicy {
  const immutableUntilMs = readUntil(headers, nowMs);
  const immutabilityMode = (headers.findOwn(MODE) ?? "unlocked").toLowerCase();
  if (immutabilityMode !== "unlocked" && immutabilityMode !== "locked") {
    throw invalidHeader(headers.family + MODE, immutabilityMode);
  }
  return { immutableUntilMs, immutabilityMode };
}

/** @throws StorageError `InvalidHeaderValue` */
export function readLegalHold(headers: RequestHeaders): boolean {
  const text = (headers.findOwn(HOLD) ?? "").toLowerCase();
  if (text !== "true" && text !== "false") {
    throw invalidHeader(headers.family + HOLD, text);
  }
  return text === "true";
}

function readUntil(headers: RequestHeaders, nowMs: number): number {
  const text = headers.findOwn(UNTIL);
  if (text === undefined) {
    throw new StorageError("MissingRequiredHeader", { elements: { HeaderName: headers.family + UNTIL } });
  }
  const ms = parseHttpDate(text);
  if (ms === undefined || ms <= nowMs) {
    throw invalidHeader(headers.family + UNTIL, text);
  }
  return ms;
}
