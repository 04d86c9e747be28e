import { createHash } from "node:crypto";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { ContentKey, KEY_BYTES } from "./content-key.ts";

/** The own headers of a key, without prefix (storage, appendix A: CPK). */
export const customerKeyHeaders = ["encryption-key", "encryption-key-sha256", "encryption-algorithm"] as const;
/** The same for the source of a request (SRC-CPK). */
export const sourceKeyHeaders: readonly string[] = customerKeyHeaders.map((name) => `source-${name}` as const);

/**
 * The key that the request's blob is to be encrypted or read with.
 *
 * @throws StorageError `MissingRequiredHeader` or `InvalidHeaderValue`, neither of which repeats the key
 */
export function readCustomerKey(request: StorageRequest): ContentKey | undefined {
  return readKey(request, "");
}

/** The key that the source of the request is to be read with. @throws StorageError as {@link readCustomerKey} */
export function readSourceKey(request: StorageRequest): ContentKey | undefined {
  return readKey(request, "source-");
}

function readKey({ headers, method, secure, isLocal }: StorageRequest, prefix: "" | "source-"): ContentKey | undefined {
  const key = headers.findOwn(`${prefix}encryption-key`);
  const sha256 = headers.findOwn(`${prefix}encryption-key-sha256`);
  const algorithm = headers.findOwn(`${prefix}encryption-algorithm`);
  if (key === undefined && sha256 === undefined && algorithm === undefined) {
    return undefined;
  }
  const nameOf = (name: (typeof customerKeyHeaders)[number]): string => headers.family + prefix + name;
  const bytes = readKeyBytes(required(key, nameOf("encryption-key")), nameOf("encryption-key"));
  const givenSha256 = required(sha256, nameOf("encryption-key-sha256"));
  // Readers may leave it out: the blob says how it is encrypted.
  if (method === "PUT" || algorithm !== undefined) {
    readAlgorithm(required(algorithm, nameOf("encryption-algorithm")), nameOf("encryption-algorithm"));
  }
  // On the way anybody could read it; on this machine nobody else can.
  if (!secure && !isLocal) {
    throw new StorageError("InvalidHeaderValue", {
      message: "An encryption key is taken over HTTPS only.",
      elements: { HeaderName: nameOf("encryption-key") },
    });
  }
  if (createHash("sha256").update(bytes).digest("base64") !== givenSha256) {
    throw invalidHeader(nameOf("encryption-key-sha256"), givenSha256);
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
