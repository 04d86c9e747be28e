/** The prefixes of the service's own headers. A request uses one of them and is answered in it (storage §0.1). */
export type HeaderFamily = "x-store-" | "x-ms-";

export const headerFamilies: readonly HeaderFamily[] = ["x-store-", "x-ms-"];

/** The family of a request that uses neither, such as an anonymous read by a browser (rulings, Objects 3). */
export const defaultFamily: HeaderFamily = "x-ms-";

/** The family that a header belongs to, if to any. @param name  lower-case */
export function headerFamilyOf(name: string): HeaderFamily | undefined {
  // Most headers belong to no family, and a look at their first letter says so.
  return name.startsWith("x-") ? headerFamilies.find((prefix) => name.startsWith(prefix)) : undefined;
}
