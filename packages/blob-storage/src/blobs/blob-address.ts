import { must } from "@trefoil/base";
import { getContainer } from "../containers/container-commands.ts";
import { findRecentContainer } from "../containers/recent-container.ts";
import { invalidQuery, StorageError } from "../errors/storage-error.ts";
import { first, type Steps } from "../metadata/steps.ts";
import { type BlobRow, type ContainerRow, CURRENT } from "../metadata/tables.ts";
import { type OperationCall } from "../operations/operation.ts";
import { retentionDaysOf } from "../retention/retention.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { type BlobWrite } from "./blob-commands.ts";
import { type BlobProperties, findBlob, findBlobInContainer } from "./blob-statements.ts";

/** The container's name of a request that has one: the operation table says which do. */
export function containerOf(request: StorageRequest): string {
  return must(request.address.container, "the operation's scope has a container");
}

/** The blob's name of a request that has one. */
export function blobOf(request: StorageRequest): string {
  return must(request.address.blob, "the operation's scope has a blob");
}

/** What every write to a blob hands to the writer. */
export function blobWriteOf({ request, conditions, mayOverwrite }: OperationCall): BlobWrite {
  return {
    accountId: request.account.id,
    container: containerOf(request),
    name: blobOf(request),
    conditions,
    leaseId: request.headers.findOwn("lease-id"),
    mayOverwrite,
    retentionDays: retentionDaysOf(request.account.properties),
  };
}

/** @throws StorageError `ContainerNotFound` */
export function requireContainer(request: StorageRequest, services: Services): ContainerRow {
  const container = findRecentContainer({ accountId: request.account.id, name: containerOf(request) }, services);
  if (container === undefined) {
    throw new StorageError("ContainerNotFound");
  }
  return container;
}

/** Which of a blob's states a request means: itself or one of its snapshots. */
export function momentOf(request: StorageRequest): string {
  const snapshot = request.query.find("snapshot");
  if (snapshot === undefined || snapshot === "") {
    return CURRENT;
  }
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{7}Z$/u.test(snapshot)) {
    throw invalidQuery("snapshot", snapshot, "not a time as snapshots have it");
  }
  return snapshot;
}

/** The blob a request means. @throws StorageError `ContainerNotFound` or `BlobNotFound` */
export function* getBlob(request: StorageRequest): Steps<BlobProperties> {
  const container = yield* getContainer({ accountId: request.account.id, name: containerOf(request) });
  const key = { containerId: container.container_id, name: blobOf(request), moment: momentOf(request) };
  return found(yield* first(findBlob, key));
}

/** The blob a request means, with the bytes that its row holds: this is what most requests of all are. */
export function readBlobWithContent(request: StorageRequest, services: Services): BlobRow {
  const { metadata } = services;
  if (request.query.has("snapshot") || request.query.has("versionid")) {
    return metadata.read(getBlobWithContent(request));
  }
  const key = { accountId: request.account.id, container: containerOf(request), name: blobOf(request) };
  return metadata.readRecent(key, () => getBlobWithContent(request));
}

/** The same with the bytes that its row holds, by one statement: this is what most requests of all are. */
function* getBlobWithContent(request: StorageRequest): Steps<BlobRow> {
  const accountId = request.account.id;
  const container = containerOf(request);
  const key = { accountId, container, name: blobOf(request), moment: momentOf(request) };
  const blob = yield* first(findBlobInContainer, key);
  if (blob === undefined) {
    yield* getContainer({ accountId, name: container });
  }
  return found(blob);
}

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) {
    throw new StorageError("BlobNotFound");
  }
  return row;
}
