import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { type ContainerRow } from "../metadata/tables.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { ACCOUNT_KEY, isKnownScope, NO_SUCH_SCOPE, openScope } from "./encryption-scope.ts";

/** What a new container says about the encryption of its blobs. */
export interface ContainerEncryption {
  /** Null: none. */
  readonly defaultScope: string | null;
  /** 1: what else a request names is refused. */
  readonly denyOverride: 0 | 1;
}

/** `~default-encryption-scope` and `~deny-encryption-scope-override`. @throws StorageError */
export function readContainerEncryption(request: StorageRequest): ContainerEncryption {
  const { headers, account } = request;
  const name = headers.findOwn("default-encryption-scope");
  const deny = headers.findOwn("deny-encryption-scope-override")?.toLowerCase();
  if (deny !== undefined && deny !== "true" && deny !== "false") {
    throw invalidHeader(`${headers.family}deny-encryption-scope-override`, deny);
  }
  if (name === undefined && deny !== undefined) {
    const elements = { HeaderName: `${headers.family}default-encryption-scope` };
    throw new StorageError("MissingRequiredHeader", { elements });
  }
  const denyOverride = deny === "true" ? 1 : 0;
  if (name === undefined || name === ACCOUNT_KEY) {
    return { defaultScope: null, denyOverride };
  }
  checkScopeOf(request, "default-encryption-scope", name);
  openScope(account.encryptionScopes, name);
  return { defaultScope: name, denyOverride };
}

/** @throws StorageError `InvalidHeaderValue` when a header names a scope that the account does not have */
export function checkScopeOf({ headers, account }: StorageRequest, header: string, name: string): void {
  if (!isKnownScope(account.encryptionScopes, name)) {
    throw invalidHeader(headers.family + header, name, NO_SUCH_SCOPE);
  }
}

/** What reading a container says about it. */
export function containerEncryptionOf(row: Pick<ContainerRow, EncryptionColumn>): {
  readonly defaultScope: string;
  readonly denyOverride: boolean;
} {
  return {
    defaultScope: row.default_encryption_scope ?? ACCOUNT_KEY,
    denyOverride: row.deny_encryption_scope_override === 1,
  };
}

type EncryptionColumn = "default_encryption_scope" | "deny_encryption_scope_override";
