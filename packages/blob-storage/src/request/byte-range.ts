import { StorageError } from "../errors/storage-error.ts";
import { type RequestHeaders } from "./request-headers.ts";

/** A part of a blob: `end` is the byte after the last one. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The range that a read asks for, cut to the blob (storage §10). The own range header wins; one that cannot be read
 * counts as none, like the service does.
 *
 * @param mayBeEmpty  whether one that begins where the blob ends is an empty one: for page blobs, which can be made
 *                    shorter under a reader (decisions/0106)
 * @returns `undefined` for the whole blob
 * @throws StorageError `InvalidRange` with `Content-Range: bytes * / LENGTH` when it begins behind the end
 */
export function readByteRange(headers: RequestHeaders, lengthBytes: number, mayBeEmpty = false): ByteRange | undefined {
  const parts = /^bytes=(\d+)-(\d*)$/u.exec((headers.findOwn("range") ?? headers.find("range") ?? "").trim());
  if (parts === null) {
    return undefined;
  }
  const start = Number(parts[1]);
  const last = parts[2] === "" ? Number.POSITIVE_INFINITY : Number(parts[2]);
  if (last < start) {
    return undefined;
  }
  if (start === 0 && lengthBytes === 0 && (parts[2] === "" || last === 0)) {
    return undefined;
  }
  if (mayBeEmpty && start === lengthBytes && lengthBytes > 0) {
    return { start, end: start };
  }
  if (start >= lengthBytes) {
    throw new StorageError("InvalidRange", { headers: { "Content-Range": `bytes */${lengthBytes}` } });
  }
  return { start, end: Math.min(last + 1, lengthBytes) };
}
