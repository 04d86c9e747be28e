/**
 * Which letters of a signature let an operation run (storage §4.3): any one of them is enough.
 *
 * `service`: of a service signature; empty when none ever does. `type` and `account`: resource type and letters of an
 * account signature; `*` for any type.
 */
export interface SasNeeds {
  readonly service: string;
  readonly type: "s" | "c" | "o" | "*";
  readonly account: string;
}

const needs = (service: string, type: SasNeeds["type"], account: string): SasNeeds => ({ service, type, account });

/** An operation on a blob needs the same letters of both kinds of signature. */
const blob = (letters: string): SasNeeds => needs(letters, "o", letters);

const accountInfo = needs("r", "*", "rcdlpuw");
/** Each request of a batch is judged on its own. */
const ANY_LETTER = "racwdxyltfmeopiu";
const anyGrant = needs(ANY_LETTER, "*", ANY_LETTER);
const write = blob("w");
const create = blob("cw");
const containerLease = needs("", "c", "w");

/** By operation name. An operation that is not listed needs an account key or a token. */
export const sasNeeds: Readonly<Record<string, SasNeeds>> = {
  "service.setProperties": needs("", "s", "w"),
  "service.getProperties": needs("", "s", "r"),
  "service.getStatistics": needs("", "s", "r"),
  "service.listContainersSegment": needs("", "s", "l"),
  "service.getAccountInfo": accountInfo,
  "service.filterBlobs": needs("", "*", "f"),
  // No signature opens it: the operation itself says so, as it does to the holder of a key.
  "service.getUserDelegationKey": anyGrant,
  "service.submitBatch": anyGrant,
  "container.submitBatch": anyGrant,
  "container.create": needs("", "c", "cw"),
  "container.getProperties": needs("", "c", "r"),
  "container.getMetadata": needs("", "c", "r"),
  "container.delete": needs("", "c", "d"),
  "container.setMetadata": needs("", "c", "w"),
  "container.restore": needs("", "c", "w"),
  "container.rename": needs("", "c", "w"),
  "container.filterBlobs": needs("f", "*", "f"),
  "container.acquireLease": containerLease,
  "container.releaseLease": containerLease,
  "container.renewLease": containerLease,
  "container.changeLease": containerLease,
  "container.breakLease": needs("", "c", "wd"),
  "container.listBlobs": needs("l", "c", "l"),
  "container.getAccountInfo": accountInfo,
  "blob.download": blob("r"),
  "blob.getProperties": blob("r"),
  "blob.getMetadata": blob("r"),
  "blob.delete": blob("d"),
  "blob.undelete": write,
  "blob.setExpiry": write,
  "blob.setHttpHeaders": write,
  "blob.setImmutabilityPolicy": blob("i"),
  "blob.deleteImmutabilityPolicy": blob("i"),
  "blob.setLegalHold": blob("i"),
  "blob.setMetadata": write,
  "blob.acquireLease": write,
  "blob.releaseLease": write,
  "blob.renewLease": write,
  "blob.changeLease": write,
  "blob.breakLease": blob("dw"),
  "blob.createSnapshot": create,
  "blob.copy": create,
  "blob.copyFromURL": create,
  "blob.abortCopyFromURL": write,
  "blob.setTier": write,
  "blob.getAccountInfo": accountInfo,
  "blob.query": blob("r"),
  "blob.getTags": blob("t"),
  "blob.setTags": blob("t"),
  "pageBlob.create": create,
  "pageBlob.uploadPages": write,
  "pageBlob.clearPages": write,
  "pageBlob.uploadPagesFromURL": write,
  "pageBlob.getPageRanges": blob("r"),
  "pageBlob.getPageRangesDiff": blob("r"),
  "pageBlob.resize": write,
  "pageBlob.updateSequenceNumber": write,
  "pageBlob.copyIncremental": write,
  "appendBlob.create": create,
  "appendBlob.appendBlock": blob("aw"),
  "appendBlob.appendBlockFromUrl": blob("aw"),
  "appendBlob.seal": write,
  "blockBlob.upload": create,
  "blockBlob.putBlobFromUrl": create,
  "blockBlob.stageBlock": write,
  "blockBlob.stageBlockFromURL": write,
  "blockBlob.commitBlockList": write,
  "blockBlob.getBlockList": blob("r"),
};
