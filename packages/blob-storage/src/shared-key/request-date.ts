import { authenticationFailed, type StorageError } from "../errors/storage-error.ts";
import { parseHttpDate } from "../request/http-date.ts";
import { remembered } from "../request/remembered.ts";
import { type RequestHeaders } from "../request/request-headers.ts";

const WINDOW_MS = 15 * 60 * 1000;

/** Clients that ask often send the same second with many requests. */
const readDate = remembered(64, parseHttpDate);

/**
 * Judges the date of a signed request, so that a recorded one cannot be replayed later: within 15 minutes of the
 * server's clock, in either direction (identity-and-storage §5.7, storage §3.6).
 *
 * @returns the refusal, or `undefined` when the date is right
 */
export function refuseWrongDate(headers: RequestHeaders, nowMs: number): StorageError | undefined {
  const value = headers.findOwn("date") ?? headers.find("date");
  const ms = value === undefined ? undefined : readDate(value.trim());
  if (value === undefined || ms === undefined) {
    return authenticationFailed("The Date header in the request is incorrect.");
  }
  if (nowMs - ms > WINDOW_MS) {
    return authenticationFailed(`Request date header too old: '${value}'`);
  }
  return ms - nowMs > WINDOW_MS ? authenticationFailed("The Date header in the request is incorrect.") : undefined;
}
