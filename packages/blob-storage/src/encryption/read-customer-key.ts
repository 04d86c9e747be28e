import { createHash } from "node:crypto";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { ContentKey, KEY_BYTES } from "./content-key.ts";

/** The own headers of a key, without prefix (storage, appendix A: CPK). */
export const customerKeyHeaders = ["encryption-key", "encryption-key-sha256", "encryption-algorithm"] as const;
/** The same for the source of a request (SRC-CPK). */
export const sourceKeyHeaders = [
  "source-encryption-key",
  "source-encryption-key-sha256",
  "source-encryption-algorithm",
] as const;

type KeyHeaders = typeof customerKeyHeaders | typeof sourceKeyHeaders;

/**
 * The key that the request's blob is to be encrypted or read with.
 *
 * @throws StorageError `MissingRequiredHeader` or `InvalidHeaderValue`, neither of which repeats the key
 */
export function readCustomerKey(request: StorageRequest): ContentKey | undefined {
  return readKey(request, customerKeyHeaders);
}

/** The key that the source of the request is to be read with. @throws StorageError as {@link readCustomerKey} */
export function readSourceKey(request: StorageRequest): ContentKey | undefined {
  return readKey(request, sourceKeyHeaders);
}

/** @param names  whole as they are looked up, so that no request puts them together */
function readKey({ headers, method, secure, isLocal }: StorageRequest, names: KeyHeaders): ContentKey | undefined {
  const [keyName, sha256Name, algorithmName] = names;
  const key = headers.findOwn(keyName);
  const sha256 = headers.findOwn(sha256Name);
  const algorithm = headers.findOwn(algorithmName);
  if (key === undefined && sha256 === undefined && algorithm === undefined) {
    return undefined;
  }
  const { family } = headers;
  const bytes = readKeyBytes(required(key, family + keyName), family + keyName);
  const givenSha256 = required(sha256, family + sha256Name);
  // Readers may leave it out: the blob says how it is encrypted.
  if (method === "PUT" || algorithm !== undefined) {
    readAlgorithm(required(algorithm, family + algorithmName), family + algorithmName);
  }
  // On the way anybody could read it; on this machine nobody else can.
  if (!secure && !isLocal) {
    throw new StorageError("InvalidHeaderValue", {
      message: "An encryption key is taken over HTTPS only.",
      elements: { HeaderName: family + keyName },
    });
  }
  if (createHash("sha256").update(bytes).digest("base64") !== givenSha256) {
    throw invalidHeader(family + sha256Name, givenSha256);
  }
  return new ContentKey(bytes, { customerKeySha256: givenSha256 });
}

function required(value: string | undefined, name: string): string {
  if (value === undefined) {
    throw new StorageError("MissingRequiredHeader", { elements: { HeaderName: name } });
  }
  return value;
}

function readKeyBytes(text: string, name: string): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== KEY_BYTES || bytes.toString("base64") !== text) {
    throw new StorageError("InvalidHeaderValue", { elements: { HeaderName: name } });
  }
  return bytes;
}

function readAlgorithm(text: string, name: string): void {
  if (text !== "AES256") {
    throw invalidHeader(name, text);
  }
}

/** The headers that hand a source's key on to the server that has the source. */
export function forwardedSourceKey(headers: RequestHeaders): Readonly<Record<string, string>> {
  const found = customerKeyHeaders.map((name) => [`x-ms-${name}`, headers.findOwn(`source-${name}`)] as const);
  return Object.fromEntries(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
