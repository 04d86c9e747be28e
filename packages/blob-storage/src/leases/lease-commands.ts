import { findBlob } from "../blobs/blob-statements.ts";
import { checkWriteConditions, type Conditions } from "../conditions/conditions.ts";
import { type Changed, conditionTarget, getContainer } from "../containers/container-commands.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type Command } from "../metadata/command.ts";
import { first, run } from "../metadata/steps.ts";
import { CURRENT, type LeaseColumns } from "../metadata/tables.ts";
import { applyLeaseAction, type LeaseAction } from "./lease-actions.ts";
import { updateBlobLease, updateContainerLease } from "./lease-statements.ts";

export interface ChangeLeaseInput {
  readonly accountId: number;
  readonly container: string;
  /** Absent for the lease of the container. */
  readonly blob: string | undefined;
  readonly conditions: Conditions;
  readonly action: LeaseAction;
}

export interface LeaseChanged extends Changed {
  readonly leaseId: string | null;
  readonly remainingSeconds: number | undefined;
}

/** Acquires, renews, changes, releases or breaks a lease; ETag and time of change stay as they are (storage §12). */
export const changeLease: Command<ChangeLeaseInput, LeaseChanged> = function* (input, context) {
  const container = yield* getContainer({ accountId: input.accountId, name: input.container });
  const containerId = container.container_id;
  const row =
    input.blob === undefined ? container : yield* first(findBlob, { containerId, name: input.blob, moment: CURRENT });
  if (row === undefined) {
    throw new StorageError("BlobNotFound");
  }
  checkWriteConditions(input.conditions, conditionTarget(row));
  const { lease, remainingSeconds } = applyLeaseAction(row, input.action, context.nowMs);
  const columns = leaseColumns(lease);
  if (input.blob === undefined) {
    yield* run(updateContainerLease, { ...columns, containerId });
  } else {
    yield* run(updateBlobLease, { ...columns, containerId, name: input.blob });
  }
  return { etag: row.etag, lastModifiedMs: row.last_modified_ms, leaseId: lease.lease_id, remainingSeconds };
};

function leaseColumns(lease: LeaseColumns): LeaseColumns {
  const { lease_id, lease_duration_seconds, lease_expires_ms, lease_breaks_ms } = lease;
  return { lease_id, lease_duration_seconds, lease_expires_ms, lease_breaks_ms };
}
