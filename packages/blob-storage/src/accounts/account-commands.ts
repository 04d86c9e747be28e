import { StorageError } from "../errors/storage-error.ts";
import { type Command } from "../metadata/command.ts";
import { first, run } from "../metadata/steps.ts";
import { insertQuota } from "../quotas/quota-statements.ts";
import {
  findAccountByName,
  insertAccount,
  resealFirstKey,
  resealSecondKey,
  updateAccountSettings,
  updateFirstKey,
  updateSecondKey,
} from "./account-statements.ts";

export interface CreateAccountInput {
  readonly name: string;
  /** Sealed. */
  readonly keys: readonly [Uint8Array, Uint8Array];
  readonly quotaBytes: number | undefined;
}

export interface SetAccountKeyInput {
  readonly accountId: number;
  readonly which: 1 | 2;
  /** Sealed. */
  readonly key: Uint8Array;
}

export const setAccountKey: Command<SetAccountKeyInput, null> = function* ({ accountId, which, key }) {
  yield* run(which === 1 ? updateFirstKey : updateSecondKey, { accountId, key });
  return null;
};

export interface ResealAccountKeyInput extends SetAccountKeyInput {
  readonly sealedBefore: Uint8Array;
}

/** The same key under another seal. One that was replaced meanwhile stays as it is. */
export const resealAccountKey: Command<ResealAccountKeyInput, null> = function* ({ which, ...change }) {
  yield* run(which === 1 ? resealFirstKey : resealSecondKey, change);
  return null;
};

export interface SetAccountSettingsInput {
  readonly accountId: number;
  /** JSON, AccountSettings. */
  readonly settings: string;
}

export const setAccountSettings: Command<SetAccountSettingsInput, null> = function* (input) {
  yield* run(updateAccountSettings, input);
  return null;
};

export const createAccount: Command<CreateAccountInput, null> = function* (input, context) {
  if ((yield* first(findAccountByName, { name: input.name })) !== undefined) {
    throw new StorageError("AccountAlreadyExists");
  }
  const accountId = context.newId();
  yield* run(insertAccount, {
    account_id: accountId,
    name: input.name,
    key_1: input.keys[0],
    key_2: input.keys[1],
    created_ms: context.nowMs,
    properties: "{}",
    settings: "{}",
  });
  if (input.quotaBytes !== undefined) {
    yield* run(insertQuota, { account_id: accountId, quota_bytes: input.quotaBytes, used_bytes: 0 });
  }
  return null;
};
