import { StorageError } from "../errors/storage-error.ts";
import { type Command } from "../metadata/command.ts";
import { first, run, type Steps } from "../metadata/steps.ts";
import { QUOTA_REACHED } from "./add-quotas.ts";
import { findQuota, insertQuota, measureBlobs, measureStagedBlocks, removeQuota } from "./quota-statements.ts";

export interface SetAccountQuotaInput {
  readonly accountId: number;
  /** Undefined: none. It may be less than what is kept; then nothing can be added. */
  readonly quotaBytes: number | undefined;
}

/** Gives an account a quota or takes it away. What the account keeps is summed up anew, and counted from here on. */
export const setAccountQuota: Command<SetAccountQuotaInput, null> = function* ({ accountId, quotaBytes }) {
  yield* run(removeQuota, { accountId });
  if (quotaBytes !== undefined) {
    const usedBytes = yield* measureAccount(accountId);
    yield* run(insertQuota, { account_id: accountId, quota_bytes: quotaBytes, used_bytes: usedBytes });
  }
  return null;
};

/** What an account keeps: blobs in all their states, and staged blocks, each with its whole length. */
export function* measureAccount(accountId: number): Steps<number> {
  const blobs = yield* first(measureBlobs, { accountId });
  const staged = yield* first(measureStagedBlocks, { accountId });
  return (blobs?.bytes ?? 0) + (staged?.bytes ?? 0);
}

/** Whether a change failed because an account would have kept more than its quota. */
export function isQuotaReached(error: unknown): boolean {
  return error instanceof Error && error.message === QUOTA_REACHED;
}

/** The error of a change that failed so. @param input  the change's: it names its account */
export function* quotaErrorOf(input: unknown): Steps<StorageError> {
  const { accountId } = input as { readonly accountId: number };
  return quotaError((yield* first(findQuota, { accountId }))?.quota_bytes);
}

/** The status and the code of a full disk (decisions/0033): clients don't try again by themselves. */
export function quotaError(quotaBytes: number | undefined): StorageError {
  const quota = quotaBytes === undefined ? "quota" : `quota of ${quotaBytes} bytes`;
  return new StorageError("InsufficientStorage", {
    message: `The account's ${quota} leaves no room for this. Nothing was stored.`,
    detail: "an account's quota is reached",
  });
}
