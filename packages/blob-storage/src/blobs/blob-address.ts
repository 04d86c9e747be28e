import { must } from "@trefoil/base";
import { getContainer } from "../containers/container-commands.ts";
import { findRecentContainer } from "../containers/recent-container.ts";
import { noEncryption } from "../encryption/blob-encryption.ts";
import { invalidQuery, StorageError } from "../errors/storage-error.ts";
import { first, type Steps } from "../metadata/steps.ts";
import { isExpired } from "../expiry/expiry.ts";
import { type BlobRow, type ContainerRow, CURRENT } from "../metadata/tables.ts";
import { type OperationCall } from "../operations/operation.ts";
import { retentionDaysOf } from "../retention/retention.ts";
import { type Query } from "../request/query.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { resolveMoment, versionMark } from "../versions/versions.ts";
import { type Services } from "../services.ts";
import { type BlobWrite } from "./blob-commands.ts";
import { type BlobPath, type BlobProperties, findBlob, findBlobInContainer } from "./blob-statements.ts";

/** The container's name of a request that has one: the operation table says which do. */
export function containerOf(request: StorageRequest): string {
  return must(request.address.container, "the operation's scope has a container");
}

/** The blob's name of a request that has one. */
export function blobOf(request: StorageRequest): string {
  return must(request.address.blob, "the operation's scope has a blob");
}

/** What every write to a blob hands to the writer. */
export function blobWriteOf({ request, conditions, contentKey, mayOverwrite }: OperationCall): BlobWrite {
  return {
    accountId: request.account.id,
    container: containerOf(request),
    name: blobOf(request),
    conditions,
    leaseId: request.headers.findOwn("lease-id"),
    mayOverwrite,
    encryption: contentKey?.encryption ?? noEncryption,
    retentionDays: retentionDaysOf(request.account.properties),
    versioning: request.account.settings.versioning,
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

/** Which of a blob's states a query means: itself, one of its snapshots (its moment) or a version (its mark). */
export function whichOf(query: Query): string {
  const snapshot = query.find("snapshot") ?? "";
  const version = query.find("versionid") ?? "";
  for (const [name, value] of [
    ["snapshot", snapshot],
    ["versionid", version],
  ] as const) {
    if (value !== "" && !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{7}Z$/u.test(value)) {
      throw invalidQuery(name, value, "not a time as snapshots and versions have it");
    }
  }
  if (snapshot !== "" && version !== "") {
    throw invalidQuery("versionid", version, "a snapshot is named as well");
  }
  return version === "" ? (snapshot === "" ? CURRENT : snapshot) : versionMark(version);
}

/** The blob a request means. @throws StorageError `ContainerNotFound` or `BlobNotFound` */
export function* getBlob(request: StorageRequest): Steps<BlobProperties> {
  const container = yield* getContainer({ accountId: request.account.id, name: containerOf(request) });
  const place = { containerId: container.container_id, name: blobOf(request) };
  const moment = yield* resolveMoment(place, whichOf(request.query));
  return found(yield* first(findBlob, { ...place, moment }), request);
}

/** The same with the bytes that its row holds. */
export function readBlobWithContent(request: StorageRequest, services: Services): BlobRow {
  const which = whichOf(request.query);
  const key = { accountId: request.account.id, container: containerOf(request), name: blobOf(request) };
  // A blob itself is what most requests of all are about: one statement, or none.
  const row =
    which === CURRENT
      ? services.metadata.readRecent(key, () => first(findBlobInContainer, { ...key, moment: CURRENT }))
      : services.metadata.read(
          first(findBlobInContainer, { ...key, moment: services.metadata.read(momentIn(key, which)) }),
        );
  if (row === undefined) {
    requireContainer(request, services);
  }
  return found(row, request);
}

function* momentIn({ accountId, container, name }: Omit<BlobPath, "moment">, which: string): Steps<string> {
  const { container_id: containerId } = yield* getContainer({ accountId, name: container });
  return yield* resolveMoment({ containerId, name }, which);
}

function found<Row extends BlobProperties>(row: Row | undefined, { nowMs }: StorageRequest): Row {
  if (row === undefined || isExpired(row, nowMs)) {
    throw new StorageError("BlobNotFound");
  }
  return row;
}
