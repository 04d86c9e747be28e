import { commitBlockList, stageBlock } from "../../block-lists/block-commands.ts";
import {
  renameContainerRow as renameContainer,
  restoreContainerRow as restoreContainer,
} from "../../containers/place-container.ts";
import { noteVerified } from "../../scrubbing/scrub-commands.ts";
import { changeLease } from "../../leases/lease-commands.ts";
import { appendBlock, sealBlob } from "../../append-blobs/append-commands.ts";
import { createSnapshotRow as createSnapshot } from "../../snapshots/create-snapshot.ts";
import { copyBlob, storeCopy } from "../../copies/copy-commands.ts";
import { setBlobTags } from "../../tags/tag-operations.ts";
import { setBlobTier } from "../../tiers/tiers.ts";
import { setServicePropertiesRow as setServiceProperties } from "../../service-properties/service-property-operations.ts";
import { resizePageBlob, setSequenceNumber, writePages } from "../../page-blobs/page-commands.ts";
import { addRoleAssignment, removeRoleAssignment } from "../../roles/role-assignments.ts";
import { purgeDeletedBlobs } from "../../retention/retention.ts";
import { undeleteBlobRows as undeleteBlob } from "../../retention/undelete-blob.ts";
import { setImmutability } from "../../immutability/immutability-commands.ts";
import { setAccountQuota } from "../../quotas/account-quota.ts";
import { copyIncrementally } from "../../copies/incremental-copy.ts";
import { setExpiryOfBlob } from "../../expiry/set-expiry.ts";
import { createAccount, resealAccountKey, setAccountKey, setAccountSettings } from "../../accounts/account-commands.ts";
import { createEmptyBlob, deleteBlob, putBlob, setBlobHeaders, setBlobMetadata } from "../../blobs/blob-commands.ts";
import {
  createContainer,
  deleteContainer,
  setAccessPolicy,
  setContainerMetadata,
} from "../../containers/container-commands.ts";
import {
  dropOldBlocks,
  forgetGarbage,
  markExtentDamaged,
  purgeContainer,
  purgeContents,
} from "../../contents/collector-commands.ts";
import { createScope, resealScope, setScopeState } from "../../encryption/scope-commands.ts";
import { type Command } from "../command.ts";

/** Every change of the metadata, by the name it has between the threads. */
export interface Commands {
  readonly setImmutability: typeof setImmutability;
  readonly undeleteBlob: typeof undeleteBlob;
  readonly purgeDeletedBlobs: typeof purgeDeletedBlobs;
  readonly addRoleAssignment: typeof addRoleAssignment;
  readonly removeRoleAssignment: typeof removeRoleAssignment;
  readonly writePages: typeof writePages;
  readonly setSequenceNumber: typeof setSequenceNumber;
  readonly resizePageBlob: typeof resizePageBlob;
  readonly setServiceProperties: typeof setServiceProperties;
  readonly setBlobTier: typeof setBlobTier;
  readonly setBlobTags: typeof setBlobTags;
  readonly copyBlob: typeof copyBlob;
  readonly storeCopy: typeof storeCopy;
  readonly createEmptyBlob: typeof createEmptyBlob;
  readonly createSnapshot: typeof createSnapshot;
  readonly sealBlob: typeof sealBlob;
  readonly appendBlock: typeof appendBlock;
  readonly changeLease: typeof changeLease;
  readonly dropOldBlocks: typeof dropOldBlocks;
  readonly stageBlock: typeof stageBlock;
  readonly commitBlockList: typeof commitBlockList;
  readonly createAccount: typeof createAccount;
  readonly createScope: typeof createScope;
  readonly setScopeState: typeof setScopeState;
  readonly resealScope: typeof resealScope;
  readonly copyIncremental: typeof copyIncrementally;
  readonly setExpiry: typeof setExpiryOfBlob;
  readonly resealAccountKey: typeof resealAccountKey;
  readonly setAccountKey: typeof setAccountKey;
  readonly setAccountSettings: typeof setAccountSettings;
  readonly setAccountQuota: typeof setAccountQuota;
  readonly createContainer: typeof createContainer;
  readonly deleteBlob: typeof deleteBlob;
  readonly deleteContainer: typeof deleteContainer;
  readonly forgetGarbage: typeof forgetGarbage;
  readonly restoreContainer: typeof restoreContainer;
  readonly renameContainer: typeof renameContainer;
  readonly noteVerified: typeof noteVerified;
  readonly markExtentDamaged: typeof markExtentDamaged;
  readonly purgeContainer: typeof purgeContainer;
  readonly purgeContents: typeof purgeContents;
  readonly putBlob: typeof putBlob;
  readonly setAccessPolicy: typeof setAccessPolicy;
  readonly setBlobHeaders: typeof setBlobHeaders;
  readonly setBlobMetadata: typeof setBlobMetadata;
  readonly setContainerMetadata: typeof setContainerMetadata;
}

export const commands: Commands = {
  setImmutability,
  undeleteBlob,
  purgeDeletedBlobs,
  addRoleAssignment,
  removeRoleAssignment,
  writePages,
  setSequenceNumber,
  resizePageBlob,
  setServiceProperties,
  setBlobTier,
  setBlobTags,
  copyBlob,
  storeCopy,
  createEmptyBlob,
  createSnapshot,
  sealBlob,
  appendBlock,
  changeLease,
  dropOldBlocks,
  stageBlock,
  commitBlockList,
  createAccount,
  createScope,
  setScopeState,
  resealScope,
  copyIncremental: copyIncrementally,
  setExpiry: setExpiryOfBlob,
  resealAccountKey,
  setAccountKey,
  setAccountSettings,
  setAccountQuota,
  createContainer,
  deleteBlob,
  deleteContainer,
  forgetGarbage,
  restoreContainer,
  renameContainer,
  noteVerified,
  markExtentDamaged,
  purgeContainer,
  purgeContents,
  putBlob,
  setAccessPolicy,
  setBlobHeaders,
  setBlobMetadata,
  setContainerMetadata,
};

export type CommandName = keyof Commands;
export type CommandInput<Name extends CommandName> =
  Commands[Name] extends Command<infer Input, infer _Output> ? Input : never;
export type CommandOutput<Name extends CommandName> =
  Commands[Name] extends Command<infer _Input, infer Output> ? Output : never;
