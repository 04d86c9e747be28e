/** What an `Authorization` header holds. */
export type Credentials =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | BasicCredentials
  | { readonly kind: "bearer"; readonly token: string };

export interface BasicCredentials {
  readonly kind: "basic";
  readonly name: string;
  readonly password: string;
}

/**
 * Reads an `Authorization` header. `Bearer` with three parts between dots is a token; after every other word the last
 * part is base64 of `name:password`, split at the first colon.
 *
 * @source graph §5, graph-http §3, rulings Graph 7
 */
export function parseAuthorization(header: string | undefined): Credentials {
  const words = header?.trim().split(/\s+/) ?? [];
  const last = words.at(-1);
  if (last === undefined || last === "") {
    return { kind: "none" };
  }
  if (words.length === 2 && words[0]?.toLowerCase() === "bearer" && last.split(".").length === 3) {
    return { kind: "bearer", token: last };
  }
  const decoded = Buffer.from(last, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  if (colon === -1) {
    return { kind: "malformed" };
  }
  return { kind: "basic", name: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
