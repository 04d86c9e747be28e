import { StorageError } from "../errors/storage-error.ts";
import { type Command } from "../metadata/command.ts";
import { first, run } from "../metadata/steps.ts";
import {
  findAccountByName,
  insertAccount,
  updateAccountSettings,
  updateFirstKey,
  updateSecondKey,
} from "./account-statements.ts";

export interface CreateAccountInput {
  readonly name: string;
  /** Sealed. */
  readonly keys: readonly [Uint8Array, Uint8Array];
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
  yield* run(insertAccount, {
    account_id: context.newId(),
    name: input.name,
    key_1: input.keys[0],
    key_2: input.keys[1],
    created_ms: context.nowMs,
    properties: "{}",
    settings: "{}",
  });
  return null;
};
