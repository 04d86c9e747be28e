import { StorageError } from "../errors/storage-error.ts";
import { type RequestHeaders } from "./request-headers.ts";

/** Name → value, names in the case they were first sent in. */
export type Metadata = Readonly<Record<string, string>>;

const LIMIT_BYTES = 8192;

/**
 * The `~meta-*` headers of a request (storage §10).
 *
 * @throws StorageError `EmptyMetadataKey`, `InvalidMetadata` (names are C# identifiers) or `MetadataTooLarge`
 */
export function readMetadata(headers: RequestHeaders): Metadata {
  const values = new Map<string, { readonly name: string; readonly value: string }>();
  const prefix = `${headers.family}meta-`;
  for (const header of headers.own) {
    if (header.name.toLowerCase().startsWith(prefix)) {
      const name = header.name.slice(prefix.length);
      checkName(name);
      const before = values.get(name.toLowerCase());
      const value = before === undefined ? header.value.trim() : `${before.value},${header.value.trim()}`;
      values.set(name.toLowerCase(), { name: before?.name ?? name, value });
    }
  }
  const entries = [...values.values()].map(({ name, value }): [string, string] => [name, value]);
  if (Buffer.byteLength(entries.flat().join("")) > LIMIT_BYTES) {
    throw new StorageError("MetadataTooLarge");
  }
  return Object.fromEntries(entries);
}

function checkName(name: string): void {
  if (name === "") {
    throw new StorageError("EmptyMetadataKey");
  }
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)) {
    throw new StorageError("InvalidMetadata");
  }
}

/** The headers that give metadata back; the leading `~` becomes the request's family. */
export function metadataHeaders(metadata: Metadata): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`~meta-${name}`, value]));
}
