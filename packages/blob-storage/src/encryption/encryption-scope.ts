import { StorageError } from "../errors/storage-error.ts";
import { type ContentKey } from "./content-key.ts";

/**
 * A key of the account that blobs are encrypted with by its name (decisions/0194). Whoever may read a blob need not
 * know it; an administrator shuts all that is encrypted with it at once.
 */
export interface EncryptionScope {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly createdMs: number;
  readonly key: ContentKey;
}

/** Those of one account, by name. */
export type EncryptionScopes = ReadonlyMap<string, EncryptionScope>;

/** The name that stands for no scope: what is stored as everything else is. */
export const ACCOUNT_KEY = "$account-encryption-key";

/** What a request is told that names one the account does not have. */
export const NO_SUCH_SCOPE = "The specified encryption scope does not exist.";

export function isKnownScope(scopes: EncryptionScopes, name: string): boolean {
  return name === ACCOUNT_KEY || scopes.has(name);
}

/** 3 to 63 lower-case letters, digits and single dashes between them. */
export function isScopeName(name: string): boolean {
  return name.length >= 3 && name.length <= 63 && /^[a-z0-9](?:-?[a-z0-9])*$/u.test(name);
}

/** The key of a scope that something is stored with. @throws StorageError `AuthorizationFailure` when it is disabled */
export function openScope(scopes: EncryptionScopes, name: string): ContentKey {
  const scope = scopes.get(name);
  if (scope === undefined) {
    throw new StorageError("InternalError", { detail: `the key of the encryption scope ${name} is gone` });
  }
  if (!scope.isEnabled) {
    throw new StorageError("AuthorizationFailure", { message: "The encryption scope is disabled." });
  }
  return scope.key;
}
