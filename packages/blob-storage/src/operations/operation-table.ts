import {
  appendBlock,
  appendBlockFromUrl,
  createAppendBlob,
  sealAppendBlob,
} from "../append-blobs/append-operations.ts";
import { createSnapshot } from "../snapshots/create-snapshot.ts";
import { commitBlockList, getBlockList, stageBlock, stageBlockFromUrl } from "../block-lists/block-operations.ts";
import { deleteBlob, setBlobHeaders, setBlobMetadata } from "../blobs/change-blob.ts";
import { downloadBlob, getBlobMetadata, getBlobProperties } from "../blobs/download-blob.ts";
import { listBlobs } from "../blobs/list-blobs.ts";
import { uploadBlob } from "../blobs/upload-blob.ts";
import { getAccessPolicy, setAccessPolicy } from "../containers/container-access-policy.ts";
import {
  createContainer,
  deleteContainer,
  getContainerProperties,
  setContainerMetadata,
} from "../containers/container-operations.ts";
import { renameContainer, restoreContainer } from "../containers/place-container.ts";
import { listContainers } from "../containers/list-containers.ts";
import { abortCopy, copyBlob, copyBlobFromUrl, putBlobFromUrl } from "../copies/copy-operations.ts";
import { copyIncremental } from "../copies/incremental-copy.ts";
import { setExpiry } from "../expiry/set-expiry.ts";
import { submitBatch } from "../batch/submit-batch.ts";
import { queryBlob } from "../query/query-blob.ts";
import { findBlobsByTags } from "../tags/find-blobs-by-tags.ts";
import { getTags, setTags } from "../tags/tag-operations.ts";
import { setTier } from "../tiers/tiers.ts";
import {
  getAccountInformation,
  getServiceProperties,
  getServiceStatistics,
  setServiceProperties,
} from "../service-properties/service-property-operations.ts";
import {
  clearPages,
  createPageBlob,
  resizePageBlob,
  setSequenceNumber,
  uploadPages,
  uploadPagesFromUrl,
} from "../page-blobs/page-operations.ts";
import { getPageRanges } from "../page-blobs/page-range-operations.ts";
import { getUserDelegationKey } from "../shared-access-signature/user-delegation-key.ts";
import { undeleteBlob } from "../retention/undelete-blob.ts";
import {
  deleteImmutabilityPolicy,
  setImmutabilityPolicy,
  setLegalHold,
} from "../immutability/immutability-operations.ts";
import { changeLease } from "../leases/lease-operations.ts";
import { type Method, type Operation, type Scope } from "./operation.ts";

type Rest = Partial<Omit<Operation, "name" | "methods" | "scope" | "comp" | "run">>;
type Special = Rest & Pick<Operation, "run">;

/** A row: name, method, scope, `comp` (empty for none), and what is special. */
function row(name: string, method: Method | readonly Method[], scope: Scope, comp: string, rest: Special): Operation {
  const methods = typeof method === "string" ? [method] : method;
  // Every operation on a service or a container says so by `restype`, except the listing of containers and batches.
  const restype = "restype" in rest ? rest.restype : scope === "blob" ? undefined : scope;
  return { conditions: "none", ...rest, name, methods, scope, restype, comp: comp === "" ? undefined : comp };
}

const NO_RESTYPE: Rest = { restype: undefined };
const ACCOUNT: Special = { restype: "account", run: getAccountInformation };
const READ: readonly Method[] = ["GET", "HEAD"];
const blobRead: Rest = { conditions: "read", anonymous: "blob" };
const blobWrite: Rest = { conditions: "write" };

/** Every operation of the service (storage, appendix A). Rows of one address are told apart by a header, in order. */
export const operationTable: readonly Operation[] = [
  row("service.setProperties", "PUT", "service", "properties", { run: setServiceProperties }),
  row("service.getProperties", "GET", "service", "properties", { run: getServiceProperties }),
  row("service.getStatistics", "GET", "service", "stats", { run: getServiceStatistics }),
  row("service.listContainersSegment", "GET", "service", "list", { ...NO_RESTYPE, run: listContainers }),
  row("service.getUserDelegationKey", "POST", "service", "userdelegationkey", { run: getUserDelegationKey }),
  row("service.getAccountInfo", READ, "service", "properties", ACCOUNT),
  row("service.submitBatch", "POST", "service", "batch", { ...NO_RESTYPE, run: submitBatch }),
  // With the account in the path the newest clients take it for a container's.
  row("service.submitBatch", "POST", "service", "batch", { restype: "container", run: submitBatch }),
  row("service.filterBlobs", "GET", "service", "blobs", { ...NO_RESTYPE, run: findBlobsByTags }),

  row("container.create", "PUT", "container", "", { run: createContainer }),
  row("container.getProperties", READ, "container", "", { anonymous: "container", run: getContainerProperties }),
  row("container.getMetadata", READ, "container", "metadata", { anonymous: "container", run: getContainerProperties }),
  row("container.delete", "DELETE", "container", "", { conditions: "dates", run: deleteContainer }),
  row("container.setMetadata", "PUT", "container", "metadata", {
    conditions: "modified-since",
    run: setContainerMetadata,
  }),
  row("container.getAccessPolicy", READ, "container", "acl", { run: getAccessPolicy }),
  row("container.setAccessPolicy", "PUT", "container", "acl", { conditions: "dates", run: setAccessPolicy }),
  row("container.restore", "PUT", "container", "undelete", { run: restoreContainer }),
  row("container.rename", "PUT", "container", "rename", { run: renameContainer }),
  row("container.submitBatch", "POST", "container", "batch", { run: submitBatch }),
  row("container.filterBlobs", "GET", "container", "blobs", { run: findBlobsByTags }),
  row("container.acquireLease", "PUT", "container", "lease", {
    header: ["lease-action", "acquire"],
    conditions: "dates",
    run: changeLease,
  }),
  row("container.releaseLease", "PUT", "container", "lease", {
    header: ["lease-action", "release"],
    conditions: "dates",
    run: changeLease,
  }),
  row("container.renewLease", "PUT", "container", "lease", {
    header: ["lease-action", "renew"],
    conditions: "dates",
    run: changeLease,
  }),
  row("container.breakLease", "PUT", "container", "lease", {
    header: ["lease-action", "break"],
    conditions: "dates",
    run: changeLease,
  }),
  row("container.changeLease", "PUT", "container", "lease", {
    header: ["lease-action", "change"],
    conditions: "dates",
    run: changeLease,
  }),
  row("container.listBlobs", "GET", "container", "list", { anonymous: "container", run: listBlobs }),
  row("container.getAccountInfo", READ, "container", "properties", ACCOUNT),

  row("blob.download", "GET", "blob", "", { ...blobRead, run: downloadBlob }),
  row("blob.getProperties", "HEAD", "blob", "", { ...blobRead, run: getBlobProperties }),
  row("blob.getMetadata", READ, "blob", "metadata", { ...blobRead, run: getBlobMetadata }),
  row("blob.delete", "DELETE", "blob", "", { ...blobWrite, run: deleteBlob }),
  row("blob.undelete", "PUT", "blob", "undelete", { run: undeleteBlob }),
  row("blob.setExpiry", "PUT", "blob", "expiry", { run: setExpiry }),
  row("pageBlob.resize", "PUT", "blob", "properties", {
    ...blobWrite,
    header: ["blob-content-length"],
    run: resizePageBlob,
  }),
  row("pageBlob.updateSequenceNumber", "PUT", "blob", "properties", {
    ...blobWrite,
    header: ["sequence-number-action"],
    run: setSequenceNumber,
  }),
  row("blob.setHttpHeaders", "PUT", "blob", "properties", { ...blobWrite, run: setBlobHeaders }),
  row("blob.setImmutabilityPolicy", "PUT", "blob", "immutabilitypolicies", {
    conditions: "unmodified-since",
    run: setImmutabilityPolicy,
  }),
  row("blob.deleteImmutabilityPolicy", "DELETE", "blob", "immutabilitypolicies", { run: deleteImmutabilityPolicy }),
  row("blob.setLegalHold", "PUT", "blob", "legalhold", { run: setLegalHold }),
  row("blob.setMetadata", "PUT", "blob", "metadata", { ...blobWrite, run: setBlobMetadata }),
  row("blob.acquireLease", "PUT", "blob", "lease", {
    ...blobWrite,
    header: ["lease-action", "acquire"],
    run: changeLease,
  }),
  row("blob.releaseLease", "PUT", "blob", "lease", {
    ...blobWrite,
    header: ["lease-action", "release"],
    run: changeLease,
  }),
  row("blob.renewLease", "PUT", "blob", "lease", { ...blobWrite, header: ["lease-action", "renew"], run: changeLease }),
  row("blob.changeLease", "PUT", "blob", "lease", {
    ...blobWrite,
    header: ["lease-action", "change"],
    run: changeLease,
  }),
  row("blob.breakLease", "PUT", "blob", "lease", { ...blobWrite, header: ["lease-action", "break"], run: changeLease }),
  row("blob.createSnapshot", "PUT", "blob", "snapshot", { ...blobWrite, run: createSnapshot }),
  row("blob.abortCopyFromURL", "PUT", "blob", "copy", { run: abortCopy }),
  row("blob.setTier", "PUT", "blob", "tier", { conditions: "tags", run: setTier }),
  row("blob.getAccountInfo", READ, "blob", "properties", ACCOUNT),
  row("blob.query", "POST", "blob", "query", { conditions: "read", run: queryBlob }),
  row("blob.getTags", "GET", "blob", "tags", { conditions: "blob-read", run: getTags }),
  row("blob.setTags", "PUT", "blob", "tags", { conditions: "blob-write", run: setTags }),

  row("pageBlob.uploadPagesFromURL", "PUT", "blob", "page", {
    ...blobWrite,
    header: ["copy-source"],
    run: uploadPagesFromUrl,
  }),
  row("pageBlob.clearPages", "PUT", "blob", "page", { ...blobWrite, header: ["page-write", "clear"], run: clearPages }),
  row("pageBlob.uploadPages", "PUT", "blob", "page", {
    ...blobWrite,
    header: ["page-write", "update"],
    run: uploadPages,
  }),
  row("pageBlob.getPageRangesDiff", "GET", "blob", "pagelist", {
    conditions: "read",
    header: ["previous-snapshot-url"],
    run: getPageRanges,
  }),
  row("pageBlob.getPageRanges", "GET", "blob", "pagelist", { ...blobRead, run: getPageRanges }),
  row("pageBlob.copyIncremental", "PUT", "blob", "incrementalcopy", { ...blobWrite, run: copyIncremental }),
  row("appendBlob.appendBlockFromUrl", "PUT", "blob", "appendblock", {
    ...blobWrite,
    header: ["copy-source"],
    run: appendBlockFromUrl,
  }),
  row("appendBlob.appendBlock", "PUT", "blob", "appendblock", { ...blobWrite, run: appendBlock }),
  row("appendBlob.seal", "PUT", "blob", "seal", { ...blobWrite, run: sealAppendBlob }),
  row("blockBlob.stageBlockFromURL", "PUT", "blob", "block", { header: ["copy-source"], run: stageBlockFromUrl }),
  row("blockBlob.stageBlock", "PUT", "blob", "block", { run: stageBlock }),
  row("blockBlob.commitBlockList", "PUT", "blob", "blocklist", { ...blobWrite, run: commitBlockList }),
  row("blockBlob.getBlockList", "GET", "blob", "blocklist", {
    conditions: "tags",
    anonymous: "blob",
    run: getBlockList,
  }),
  row("blob.copyFromURL", "PUT", "blob", "", { ...blobWrite, header: ["requires-sync", "true"], run: copyBlobFromUrl }),
  row("blockBlob.putBlobFromUrl", "PUT", "blob", "", {
    ...blobWrite,
    header: ["copy-source"],
    second: ["blob-type", "BlockBlob"],
    run: putBlobFromUrl,
  }),
  row("blob.copy", "PUT", "blob", "", { ...blobWrite, header: ["copy-source"], run: copyBlob }),
  row("pageBlob.create", "PUT", "blob", "", { ...blobWrite, header: ["blob-type", "PageBlob"], run: createPageBlob }),
  row("appendBlob.create", "PUT", "blob", "", {
    ...blobWrite,
    header: ["blob-type", "AppendBlob"],
    run: createAppendBlob,
  }),
  row("blockBlob.upload", "PUT", "blob", "", { ...blobWrite, header: ["blob-type", "BlockBlob"], run: uploadBlob }),
];
