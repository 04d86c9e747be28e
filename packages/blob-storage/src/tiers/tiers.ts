import { blobWriteOf, whichOf } from "../blobs/blob-address.ts";
import { getBlobAt, type BlobWrite } from "../blobs/blob-commands.ts";
import { type BlobExtras, parseExtras } from "../blobs/blob-extras.ts";
import { updateBlobExtras } from "../blobs/blob-statements.ts";
import { checkTagCondition } from "../conditions/conditions.ts";
import { StorageError } from "../errors/storage-error.ts";
import { checkLeaseOfRead } from "../leases/lease-state.ts";
import { type Command } from "../metadata/command.ts";
import { run } from "../metadata/steps.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { type Services } from "../services.ts";
import { checkTierOfType, readTier } from "./tier-names.ts";

/** Set Blob Tier (storage §10); rehydration from the archive is done when it is answered with 202. */
export async function setTier(call: OperationCall, services: Services): Promise<Answer> {
  const { headers } = call.request;
  const tier = readTier(headers);
  if (tier === undefined) {
    throw new StorageError("MissingRequiredHeader", { elements: { HeaderName: `${headers.family}access-tier` } });
  }
  const { rehydrated } = await services.metadata.write("setBlobTier", {
    ...blobWriteOf(call),
    which: whichOf(call.request.query),
    tier,
  });
  return { status: rehydrated ? 202 : 200, headers: {} };
}

export interface SetTierInput extends BlobWrite {
  /** A moment or a version's mark. */
  readonly which: string;
  readonly tier: string;
}

export const setBlobTier: Command<SetTierInput, { readonly rehydrated: boolean }> = function* (input, context) {
  const blob = yield* getBlobAt(input, input.which, context.nowMs);
  checkLeaseOfRead(blob, input.leaseId, context.nowMs, "Blob");
  checkTagCondition(input.conditions, blob);
  checkTierOfType(input.tier, blob.type);
  const extras = parseExtras(blob);
  // The operation takes no key.
  if (extras.customerKeySha256 !== undefined) {
    throw new StorageError("BlobUsesCustomerSpecifiedEncryption");
  }
  const changed: BlobExtras = { ...extras, tier: input.tier, tierChangedMs: context.nowMs };
  const key = { containerId: blob.container_id, name: blob.name, moment: blob.moment };
  yield* run(updateBlobExtras, { ...key, extras: JSON.stringify(changed) });
  return { rehydrated: extras.tier === "Archive" && input.tier !== "Archive" };
};
