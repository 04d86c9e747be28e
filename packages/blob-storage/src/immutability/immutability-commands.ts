import { type BlobAddress, getBlobAt } from "../blobs/blob-commands.ts";
import { type BlobExtras, parseExtras } from "../blobs/blob-extras.ts";
import { updateBlobExtras } from "../blobs/blob-statements.ts";
import { checkWriteConditions, type Conditions } from "../conditions/conditions.ts";
import { conditionTarget } from "../containers/container-commands.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type Command } from "../metadata/command.ts";
import { run } from "../metadata/steps.ts";
import { type ImmutabilityPolicy } from "./read-immutability.ts";

/** What to change of a blob's immutability. */
export type ImmutabilityChange =
  | { readonly kind: "set-policy"; readonly policy: ImmutabilityPolicy; readonly conditions: Conditions }
  | { readonly kind: "delete-policy" }
  | { readonly kind: "set-legal-hold"; readonly legalHold: boolean };

export interface SetImmutabilityInput extends BlobAddress {
  /** A moment or a version's mark. */
  readonly which: string;
  readonly change: ImmutabilityChange;
}

/** A locked policy can only be prolonged: not shortened, not unlocked, not deleted. */
export const setImmutability: Command<SetImmutabilityInput, null> = function* (input, context) {
  const blob = yield* getBlobAt(input, input.which, context.nowMs);
  if (input.change.kind === "set-policy") {
    checkWriteConditions(input.change.conditions, conditionTarget(blob));
  }
  const extras = parseExtras(blob);
  if (extras.expiresMs !== undefined && input.change.kind !== "delete-policy") {
    throw new StorageError("InvalidOperation", { detail: "the blob ends by itself" });
  }
  const changed = applyChange(extras, input.change, context.nowMs);
  const key = { containerId: blob.container_id, name: blob.name, moment: blob.moment };
  yield* run(updateBlobExtras, { ...key, extras: JSON.stringify(changed) });
  return null;
};

function applyChange(extras: BlobExtras, change: ImmutabilityChange, nowMs: number): BlobExtras {
  const { immutableUntilMs = 0, immutabilityMode, ...rest } = extras;
  const isLocked = immutabilityMode === "locked" && nowMs < immutableUntilMs;
  switch (change.kind) {
    case "set-legal-hold":
      return { ...extras, legalHold: change.legalHold };
    case "delete-policy":
      if (isLocked) {
        throw new StorageError("BlobImmutableDueToPolicy");
      }
      return rest;
    case "set-policy":
      if (isLocked && !isProlonged(immutableUntilMs, change.policy)) {
        throw new StorageError("BlobImmutableDueToPolicy");
      }
      return { ...rest, ...change.policy };
  }
}

function isProlonged(untilMs: number, { immutableUntilMs, immutabilityMode }: ImmutabilityPolicy): boolean {
  return immutabilityMode === "locked" && immutableUntilMs >= untilMs;
}
