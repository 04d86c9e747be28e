import { containerOf, requireContainer } from "../blobs/blob-address.ts";
import { changeHeaders } from "../blobs/blob-headers.ts";
import { type Conditions } from "../conditions/conditions.ts";
import { containerEncryptionOf, readContainerEncryption } from "../encryption/container-encryption.ts";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { checkLeaseOfRead, describeLease } from "../leases/lease-state.ts";
import { type PublicAccess } from "../metadata/tables.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { type Metadata, metadataHeaders, readMetadata } from "../request/metadata-headers.ts";
import { retentionDaysOf } from "../retention/retention.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { type ContainerWrite } from "./container-commands.ts";

/** Create Container. */
export async function createContainer({ request }: OperationCall, services: Services): Promise<Answer> {
  const name = newContainerName(request);
  const changed = await services.metadata.write("createContainer", {
    accountId: request.account.id,
    name,
    publicAccess: readPublicAccess(request),
    metadata: JSON.stringify(readMetadata(request.headers)),
    ...readContainerEncryption(request),
  });
  return { status: 201, headers: changeHeaders(changed) };
}

/** The name that a container is to have. @throws StorageError `InvalidResourceName` */
export function newContainerName(request: StorageRequest): string {
  const name = containerOf(request);
  // With such a container a path could mean two things (rulings, Objects 2).
  if (name === request.account.name) {
    throw new StorageError("InvalidResourceName", { detail: "a container may not have the name of its account" });
  }
  return name;
}

/** Delete Container. */
export async function deleteContainer({ request, conditions }: OperationCall, services: Services): Promise<Answer> {
  await services.metadata.write("deleteContainer", {
    ...containerWriteOf(request, conditions),
    retentionDays: retentionDaysOf(request.account.properties),
  });
  return { status: 202, headers: {} };
}

/** Get Container Properties and Get Container Metadata. */
export function getContainerProperties({ request }: OperationCall, services: Services): Promise<Answer> {
  const container = requireContainer(request, services);
  checkLeaseOfRead(container, request.headers.findOwn("lease-id"), request.nowMs, "Container");
  const lease = describeLease(container, request.nowMs);
  const encryption = containerEncryptionOf(container);
  const headers = {
    ...changeHeaders({ etag: container.etag, lastModifiedMs: container.last_modified_ms }),
    ...metadataHeaders(JSON.parse(container.metadata) as Metadata),
    "~lease-state": lease.state,
    "~lease-status": lease.status,
    "~lease-duration": lease.duration,
    "~blob-public-access": container.public_access ?? undefined,
    "~has-immutability-policy": "false",
    "~has-legal-hold": "false",
    "~immutable-storage-with-versioning-enabled": "false",
    "~default-encryption-scope": encryption.defaultScope,
    "~deny-encryption-scope-override": String(encryption.denyOverride),
  };
  return Promise.resolve({ status: 200, headers });
}

/** Set Container Metadata: replaces all of it. */
export async function setContainerMetadata(
  { request, conditions }: OperationCall,
  services: Services,
): Promise<Answer> {
  const changed = await services.metadata.write("setContainerMetadata", {
    ...containerWriteOf(request, conditions),
    metadata: JSON.stringify(readMetadata(request.headers)),
  });
  return { status: 200, headers: changeHeaders(changed) };
}

/**
 * Whom the request opens the container to besides those who sign; null for nobody.
 *
 * @throws StorageError PublicAccessNotPermitted where the account keeps its containers closed.
 */
export function readPublicAccess({ headers, account }: StorageRequest): PublicAccess | null {
  const value = headers.findOwn("blob-public-access");
  if (value === undefined) {
    return null;
  }
  if (value !== "container" && value !== "blob") {
    throw invalidHeader(`${headers.family}blob-public-access`, value);
  }
  if (!account.settings.publicAccess) {
    throw new StorageError("PublicAccessNotPermitted");
  }
  return value;
}

function containerWriteOf(request: StorageRequest, conditions: Conditions): ContainerWrite {
  const leaseId = request.headers.findOwn("lease-id");
  return { accountId: request.account.id, name: containerOf(request), conditions, leaseId };
}
