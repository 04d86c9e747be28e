import { StorageError } from "../errors/storage-error.ts";
import { type ServiceVersion, since } from "./service-version.ts";

const MIB = 1024 * 1024;

/** Largest body of Put Blob by version (storage §15; rulings, Objects 1). */
export function uploadLimitBytes(version: ServiceVersion): number {
  if (version >= since.uploadOf5000MiB) {
    return 5000 * MIB;
  }
  return version >= since.uploadOf256MiB ? 256 * MIB : 64 * MIB;
}

/** Largest block by version. */
export function blockLimitBytes(version: ServiceVersion): number {
  if (version >= since.uploadOf5000MiB) {
    return 4000 * MIB;
  }
  return version >= since.uploadOf256MiB ? 100 * MIB : 4 * MIB;
}

/** Largest block of an append blob by version. */
export function appendLimitBytes(version: ServiceVersion): number {
  return version >= since.appendOf100MiB ? 100 * MIB : 4 * MIB;
}

/**
 * The length of a request's body.
 *
 * @throws StorageError 411 without one (bodies of unknown length are not taken), 413 beyond the limit
 */
export function readContentLength(header: string | undefined, limitBytes: number): number {
  if (header === undefined) {
    throw new StorageError("MissingContentLengthHeader");
  }
  const length = Number(header);
  if (length > limitBytes) {
    throw new StorageError("RequestBodyTooLarge", { elements: { MaxLimit: String(limitBytes) } });
  }
  return length;
}
