import { StorageError } from "../errors/storage-error.ts";

/** The prefixes of the service's own headers. A request uses one of them and is answered in it (storage §0.1). */
export type HeaderFamily = "x-store-" | "x-ms-";

export const headerFamilies: readonly HeaderFamily[] = ["x-store-", "x-ms-"];

/** The family of a request that uses neither, such as an anonymous read by a browser (rulings, Objects 3). */
export const defaultFamily: HeaderFamily = "x-ms-";

/**
 * The family that the headers belong to.
 *
 * @param names  lower-case header names
 * @throws StorageError `InvalidHeaderValue` when both are used: those of the second would be outside the signature
 */
export function headerFamilyOf(names: Iterable<string>): HeaderFamily {
  let found: HeaderFamily | undefined;
  for (const name of names) {
    // Most headers belong to no family, and a look at their first letter says so.
    const family = name.startsWith("x-") ? headerFamilies.find((prefix) => name.startsWith(prefix)) : undefined;
    if (family !== undefined && found !== undefined && family !== found) {
      throw new StorageError("InvalidHeaderValue", {
        elements: { HeaderName: name, HeaderValue: "headers of two families in one request" },
      });
    }
    found = family ?? found;
  }
  return found ?? defaultFamily;
}
