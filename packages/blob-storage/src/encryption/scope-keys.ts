import { randomBytes } from "node:crypto";
import { type SecretBox } from "../accounts/account-directory.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { all } from "../metadata/steps.ts";
import { ContentKey, KEY_BYTES } from "./content-key.ts";
import { type EncryptionScope, type EncryptionScopes } from "./encryption-scope.ts";
import { listScopes } from "./scope-statements.ts";

/** A new scope's key, sealed. */
export function sealNewKey(secrets: SecretBox, accountId: number, name: string): Uint8Array {
  return secrets.seal(randomBytes(KEY_BYTES), contextOf(accountId, name));
}

/** Every account's scopes with opened keys, by the account's id. */
export function loadScopes(metadata: Metadata, secrets: SecretBox): ReadonlyMap<number, EncryptionScopes> {
  const byAccount = new Map<number, Map<string, EncryptionScope>>();
  for (const { account_id: accountId, name, key, created_ms, disabled_ms } of metadata.read(all(listScopes, {}))) {
    const scopes = byAccount.get(accountId) ?? new Map<string, EncryptionScope>();
    byAccount.set(accountId, scopes);
    scopes.set(name, {
      name,
      isEnabled: disabled_ms === null,
      createdMs: created_ms,
      key: new ContentKey(secrets.open(key, contextOf(accountId, name)), { encryptionScope: name }),
    });
  }
  return byAccount;
}

/** Seals every scope's key with the key that seals now. @returns how many */
export async function sealScopesAnew(metadata: Metadata, secrets: SecretBox): Promise<number> {
  const rows = metadata.read(all(listScopes, {}));
  for (const { account_id: accountId, name, key: sealedBefore } of rows) {
    const context = contextOf(accountId, name);
    const key = secrets.seal(secrets.open(sealedBefore, context), context);
    await metadata.write("resealScope", { accountId, name, key });
  }
  return rows.length;
}

function contextOf(accountId: number, name: string): string {
  return `storage encryption scope ${accountId} ${name}`;
}
