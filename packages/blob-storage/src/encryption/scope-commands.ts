import { StorageError } from "../errors/storage-error.ts";
import { type Command } from "../metadata/command.ts";
import { first, run } from "../metadata/steps.ts";
import { findScope, insertScope, resealScopeKey, updateScopeState } from "./scope-statements.ts";

export interface ScopeAddress {
  readonly accountId: number;
  readonly name: string;
}

export interface SealedScope extends ScopeAddress {
  /** Sealed. */
  readonly key: Uint8Array;
}

/** @throws StorageError `ResourceAlreadyExists` */
export const createScope: Command<SealedScope, null> = function* ({ accountId, name, key }, { nowMs }) {
  if ((yield* first(findScope, { account_id: accountId, name })) !== undefined) {
    throw new StorageError("ResourceAlreadyExists");
  }
  yield* run(insertScope, { account_id: accountId, name, key, created_ms: nowMs, disabled_ms: null });
  return null;
};

export const setScopeState: Command<ScopeAddress & { readonly isEnabled: boolean }, null> = function* (
  { accountId, name, isEnabled },
  { nowMs },
) {
  yield* run(updateScopeState, { account_id: accountId, name, disabled_ms: isEnabled ? null : nowMs });
  return null;
};

/** The same key under another seal. */
export const resealScope: Command<SealedScope, null> = function* ({ accountId, name, key }) {
  yield* run(resealScopeKey, { account_id: accountId, name, key });
  return null;
};
