import { StorageError } from "../errors/storage-error.ts";
import { remembered } from "./remembered.ts";

/** A version of the service's interface, `YYYY-MM-DD`: as text it sorts by age (storage §2). */
export type ServiceVersion = string;

export const oldestVersion: ServiceVersion = "2009-09-19";
export const newestVersion: ServiceVersion = "2026-10-06";

/** Versions at which something visible changed; compared with `>=`. */
export const since = {
  emptyContentLengthIsUnsigned: "2015-02-21",
  emptyHeadersAreSigned: "2016-05-31",
  publicAccessInListings: "2016-05-31",
  uploadOf256MiB: "2016-05-31",
  uploadOf5000MiB: "2019-12-12",
  appendOf100MiB: "2022-11-02",
  bearer: "2017-11-09",
  bearerChallenge: "2019-12-12",
  conditionOnAnyEtagOfReadIsError: "2016-05-31",
} as const;

/**
 * The version that a request is served by. A newer one than we know is served as the newest: clients are updated
 * before servers (storage §0.4).
 *
 * @param header      the version header; absent means `fallback`
 * @param headerName  for the error
 * @throws StorageError `InvalidHeaderValue` when it is not a date or older than the oldest version
 */
export function readServiceVersion(
  header: string | undefined,
  headerName: string,
  fallback: ServiceVersion,
): ServiceVersion {
  if (header === undefined) {
    return fallback;
  }
  if (!isServiceVersion(header)) {
    throw new StorageError("InvalidHeaderValue", { elements: { HeaderName: headerName, HeaderValue: header } });
  }
  return header > newestVersion ? newestVersion : header;
}

/** Whether it is one that this server, or a newer one, serves. */
export function isServiceVersion(text: string): boolean {
  return isDate(text) && text >= oldestVersion;
}

const isDate = remembered(
  64,
  (text) => /^\d{4}-\d{2}-\d{2}$/u.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)),
);
