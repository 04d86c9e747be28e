import { StorageError } from "../errors/storage-error.ts";

/** What an `Authorization` header says. */
export type Authorization =
  | { readonly kind: "SharedKey" | "SharedKeyLite"; readonly account: string; readonly signature: string }
  | { readonly kind: "Bearer"; readonly token: string };

/**
 * Reads an `Authorization` header: `SharedKey account:signature`, `SharedKeyLite account:signature` or
 * `Bearer token`; the scheme's case doesn't matter.
 *
 * @throws StorageError `InvalidAuthenticationInfo` for anything else
 */
export function parseAuthorization(header: string): Authorization {
  const [, scheme = "", rest = ""] = /^(\S+) +(\S.*)$/u.exec(header.trim()) ?? [];
  const colon = rest.indexOf(":");
  switch (scheme.toLowerCase()) {
    case "sharedkey":
    case "sharedkeylite": {
      if (colon <= 0 || colon === rest.length - 1 || /\s/u.test(rest)) {
        throw new StorageError("InvalidAuthenticationInfo");
      }
      const kind = scheme.toLowerCase() === "sharedkey" ? "SharedKey" : "SharedKeyLite";
      return { kind, account: rest.slice(0, colon), signature: rest.slice(colon + 1) };
    }
    case "bearer":
      return { kind: "Bearer", token: rest };
    default:
      throw new StorageError("InvalidAuthenticationInfo");
  }
}
