import { checkWriteConditions, type Conditions, type ConditionTarget } from "../conditions/conditions.ts";
import { type ContainerEncryption } from "../encryption/container-encryption.ts";
import { StorageError } from "../errors/storage-error.ts";
import { checkMutable } from "../immutability/immutability.ts";
import { findImmutableBlob } from "../immutability/immutability-statements.ts";
import { checkLease, checkLeaseOfRead, leaseAfterWrite } from "../leases/lease-state.ts";
import { type Command, type CommandContext } from "../metadata/command.ts";
import { first, run, type Steps } from "../metadata/steps.ts";
import { type ContainerRow, type PublicAccess } from "../metadata/tables.ts";
import {
  type ContainerKey,
  findContainer,
  insertContainer,
  markContainerDeleted,
  updateAccessPolicy,
  updateContainerMetadata,
} from "./container-statements.ts";

/** What a change answers with. */
export interface Changed {
  readonly etag: string;
  readonly lastModifiedMs: number;
  /** Of a blob in an account that keeps versions. */
  readonly versionId?: string | null | undefined;
}

export interface CreateContainerInput extends ContainerKey, ContainerEncryption {
  readonly publicAccess: PublicAccess | null;
  readonly metadata: string;
}

export const createContainer: Command<CreateContainerInput, Changed> = function* (input, context) {
  if ((yield* first(findContainer, input)) !== undefined) {
    throw new StorageError("ContainerAlreadyExists");
  }
  const etag = context.newEtag();
  yield* run(insertContainer, { ...input, containerId: context.newId(), etag, nowMs: context.nowMs });
  return { etag, lastModifiedMs: context.nowMs };
};

export interface ContainerWrite extends ContainerKey {
  readonly conditions: Conditions;
  readonly leaseId: string | undefined;
}

const DAY_MS = 24 * 3_600_000;

export interface DeleteContainerInput extends ContainerWrite {
  /** For how many days the account keeps what is deleted; absent when it doesn't. */
  readonly retentionDays: number | undefined;
}

/** Delete Container; what has to stay keeps its container. */
export const deleteContainer: Command<DeleteContainerInput, Changed> = function* (input, context) {
  const container = yield* getContainerForWrite(input, context);
  const immutable = yield* first(findImmutableBlob, { containerId: container.container_id, nowMs: context.nowMs });
  if (immutable !== undefined) {
    checkMutable(immutable, context.nowMs);
  }
  const version = context.newEtag().replace(/[^0-9A-F]/gu, "");
  const { nowMs } = context;
  const purgeMs = nowMs + (input.retentionDays ?? 0) * DAY_MS;
  yield* run(markContainerDeleted, { containerId: container.container_id, version, nowMs, purgeMs });
  return { etag: container.etag, lastModifiedMs: context.nowMs };
};

export const setContainerMetadata: Command<ContainerWrite & { readonly metadata: string }, Changed> = function* (
  input,
  context,
) {
  const container = yield* getContainer(input);
  checkLeaseOfRead(container, input.leaseId, context.nowMs, "Container");
  checkWriteConditions(input.conditions, conditionTarget(container));
  const etag = context.newEtag();
  yield* run(updateContainerMetadata, {
    ...leaseAfterWrite(container, context.nowMs),
    containerId: container.container_id,
    etag,
    nowMs: context.nowMs,
    metadata: input.metadata,
  });
  return { etag, lastModifiedMs: context.nowMs };
};

export interface SetAccessPolicyInput extends ContainerWrite {
  readonly publicAccess: PublicAccess | null;
  /** JSON. */
  readonly policies: string;
}

export const setAccessPolicy: Command<SetAccessPolicyInput, Changed> = function* (input, context) {
  const container = yield* getContainer(input);
  checkLeaseOfRead(container, input.leaseId, context.nowMs, "Container");
  checkWriteConditions(input.conditions, conditionTarget(container));
  const etag = context.newEtag();
  yield* run(updateAccessPolicy, {
    ...leaseAfterWrite(container, context.nowMs),
    containerId: container.container_id,
    etag,
    nowMs: context.nowMs,
    publicAccess: input.publicAccess,
    policies: input.policies,
  });
  return { etag, lastModifiedMs: context.nowMs };
};

/** @throws StorageError `ContainerNotFound` */
export function* getContainer(key: ContainerKey): Steps<ContainerRow> {
  const container = yield* first(findContainer, { accountId: key.accountId, name: key.name });
  if (container === undefined) {
    throw new StorageError("ContainerNotFound");
  }
  return container;
}

export function* getContainerForWrite(input: ContainerWrite, context: CommandContext): Steps<ContainerRow> {
  const container = yield* getContainer(input);
  checkLease(container, input.leaseId, context.nowMs, "Container");
  checkWriteConditions(input.conditions, conditionTarget(container));
  return container;
}

/** What the conditions of a container or a blob are judged against; only blobs have tags. */
export function conditionTarget(row: {
  readonly etag: string;
  readonly last_modified_ms: number;
  readonly tags?: string | null;
}): ConditionTarget {
  return { etag: row.etag, lastModifiedMs: row.last_modified_ms, tags: row.tags };
}
