/* What some operations take and all others refuse; operations by their names in appendix A. */

/** Operations that also take one of a blob's versions (`?versionid=`); all others refuse it. */
export const takesVersion: ReadonlySet<string> = new Set([
  "blob.download",
  "blob.getProperties",
  "blob.getMetadata",
  "blob.getAccountInfo",
  "blob.delete",
  "blob.setTier",
  "blob.getTags",
  "blob.setTags",
  "blob.setImmutabilityPolicy",
  "blob.deleteImmutabilityPolicy",
  "blob.setLegalHold",
]);

/** Operations that also take one of its snapshots (`?snapshot=`). */
export const takesSnapshot: ReadonlySet<string> = new Set([
  ...takesVersion,
  "blob.query",
  "blockBlob.getBlockList",
  "pageBlob.getPageRanges",
  "pageBlob.getPageRangesDiff",
]);

/** Writes that take a key of the client's own as well as the name of one of the account's. */
const takesAnyKey = [
  "blob.setMetadata",
  "blob.createSnapshot",
  "pageBlob.create",
  "pageBlob.uploadPages",
  "pageBlob.clearPages",
  "pageBlob.uploadPagesFromURL",
  "pageBlob.resize",
  "appendBlob.create",
  "appendBlob.appendBlock",
  "appendBlob.appendBlockFromUrl",
  "blockBlob.upload",
  "blockBlob.putBlobFromUrl",
  "blockBlob.stageBlock",
  "blockBlob.stageBlockFromURL",
  "blockBlob.commitBlockList",
] as const;

/** Operations that also take a key of the client's own (`~encryption-key`); all others refuse it. */
export const takesCustomerKey: ReadonlySet<string> = new Set([
  "blob.download",
  "blob.getProperties",
  "blob.getMetadata",
  "blob.query",
  ...takesAnyKey,
]);

/** Operations that also take the name of an encryption scope (`~encryption-scope`). */
export const takesEncryptionScope: ReadonlySet<string> = new Set(["blob.copyFromURL", ...takesAnyKey]);

/** Operations whose bytes are encrypted with a scope when the signature or the container names one. */
export const usesEncryptionScope: ReadonlySet<string> = new Set([
  "blob.copy",
  "pageBlob.copyIncremental",
  ...takesEncryptionScope,
]);

/** Operations that also take the key of their source (`~source-encryption-key`). */
export const takesSourceKey: ReadonlySet<string> = new Set([
  "pageBlob.uploadPagesFromURL",
  "appendBlob.appendBlockFromUrl",
  "blockBlob.putBlobFromUrl",
  "blockBlob.stageBlockFromURL",
]);

/** Operations whose body may be a structured message (`~structured-body`). */
export const takesStructuredBody: ReadonlySet<string> = new Set([
  "blob.download",
  "pageBlob.uploadPages",
  "appendBlob.appendBlock",
  "blockBlob.upload",
  "blockBlob.stageBlock",
]);
