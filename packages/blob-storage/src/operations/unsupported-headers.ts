import { StorageError } from "../errors/storage-error.ts";
import { type RequestHeaders } from "../request/request-headers.ts";

/** Own headers, without prefix, that ask for something this server doesn't do; see docs/compatibility.md. */
const UNSUPPORTED = [
  "encryption-key",
  "encryption-key-sha256",
  "encryption-algorithm",
  "encryption-scope",
  "source-encryption-key",
  "default-encryption-scope",
  "structured-body",
] as const;

/**
 * Refuses a request that asks for what it would not get. Passed over, a key of the client's own would leave its blob
 * stored in the clear, and a framed body would be stored with its frames.
 *
 * @throws StorageError `UnsupportedHeader`
 */
export function refuseUnsupportedHeaders(headers: RequestHeaders): void {
  const found = UNSUPPORTED.find((name) => headers.findOwn(name) !== undefined);
  if (found !== undefined) {
    throw new StorageError("UnsupportedHeader", { elements: { HeaderName: headers.family + found } });
  }
}
