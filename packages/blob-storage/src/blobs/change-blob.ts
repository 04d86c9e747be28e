import { encryptionHeaders } from "../encryption/blob-encryption.ts";
import { storedMetadata } from "../encryption/stored-metadata.ts";
import { invalidHeader, invalidQuery, StorageError } from "../errors/storage-error.ts";
import { CURRENT } from "../metadata/tables.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { readContentHeaders } from "../request/content-headers.ts";
import { readMetadata } from "../request/metadata-headers.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { readTierConditions } from "../tiers/tier-conditions.ts";
import { allowsPermanentDelete, retentionDaysOf } from "../retention/retention.ts";
import { type Services } from "../services.ts";
import { blobWriteOf, whichOf } from "./blob-address.ts";
import { changeHeaders } from "./blob-headers.ts";

/** Delete Blob. */
export async function deleteBlob(call: OperationCall, services: Services): Promise<Answer> {
  const { request } = call;
  const which = whichOf(request.query);
  const snapshots = readDeleteSnapshots(request.headers);
  if (which !== CURRENT && snapshots !== undefined) {
    throw new StorageError("InvalidOperation", { detail: "one snapshot and all snapshots in one request" });
  }
  const permanently = readPermanently(request, which);
  const tier = readTierConditions(request.headers);
  await services.metadata.write("deleteBlob", { ...blobWriteOf(call), which, permanently, snapshots, tier });
  const { properties, settings } = request.account;
  const staysBehind = retentionDaysOf(properties) !== undefined || (which === CURRENT && settings.versioning);
  const isKept = staysBehind && !permanently;
  return { status: 202, headers: { "~delete-type-permanent": isKept ? "false" : "true" } };
}

/** `deletetype=permanent`, for snapshots and versions where the account allows it. */
function readPermanently({ query, account }: StorageRequest, which: string): boolean {
  const type = query.find("deletetype");
  if (type === undefined) {
    return false;
  }
  if (type.toLowerCase() !== "permanent" || which === CURRENT) {
    throw invalidQuery("deletetype", type, "permanent, of a snapshot or a version");
  }
  if (!allowsPermanentDelete(account.properties)) {
    throw new StorageError("InvalidOperation", { detail: "the account does not allow permanent deletes" });
  }
  return true;
}

/** Set Blob Metadata: replaces all of it. */
export async function setBlobMetadata(call: OperationCall, services: Services): Promise<Answer> {
  const { request } = call;
  const changed = await services.metadata.write("setBlobMetadata", {
    ...blobWriteOf(call),
    metadata: storedMetadata(readMetadata(request.headers), call.contentKey),
  });
  return { status: 200, headers: { ...changeHeaders(changed), ...encryptionHeaders(call.contentKey) } };
}

/** Set Blob Properties: replaces all the headers a blob is served with. */
export async function setBlobHeaders(call: OperationCall, services: Services): Promise<Answer> {
  const { request } = call;
  const changed = await services.metadata.write("setBlobHeaders", {
    ...blobWriteOf(call),
    contentHeaders: JSON.stringify(readContentHeaders(request.headers)),
  });
  const sequenceNumber = changed.sequenceNumber === undefined ? undefined : String(changed.sequenceNumber);
  return { status: 200, headers: { ...changeHeaders(changed), "~blob-sequence-number": sequenceNumber } };
}

function readDeleteSnapshots(headers: RequestHeaders): "include" | "only" | undefined {
  const value = headers.findOwn("delete-snapshots");
  switch (value?.toLowerCase()) {
    case undefined:
      return undefined;
    case "include":
      return "include";
    case "only":
      return "only";
    default:
      throw invalidHeader(`${headers.family}delete-snapshots`, value ?? "");
  }
}
