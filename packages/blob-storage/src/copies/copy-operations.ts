import { randomUUID } from "node:crypto";
import { blobWriteOf, getBlob } from "../blobs/blob-address.ts";
import { parseExtras } from "../blobs/blob-extras.ts";
import { changeHeaders } from "../blobs/blob-headers.ts";
import { readSourceConditions } from "../conditions/read-conditions.ts";
import {
  encryptionHeaders,
  isEncrypted,
  isSameEncryption,
  keyHeaders,
  noEncryption,
} from "../encryption/blob-encryption.ts";
import { readSourceKey } from "../encryption/read-customer-key.ts";
import { storedMetadata } from "../encryption/stored-metadata.ts";
import { invalidHeader, invalidQuery, StorageError } from "../errors/storage-error.ts";
import { readImmutability } from "../immutability/read-immutability.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { readContentHeaders, readMd5 } from "../request/content-headers.ts";
import { readMetadata } from "../request/metadata-headers.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type Services } from "../services.ts";
import { readTagsHeader } from "../tags/tags.ts";
import { readTier } from "../tiers/tier-names.ts";
import { copyAnew } from "./copy-anew.ts";
import { type AskedCopy } from "./copy-commands.ts";
import { copyForeign, type ForeignCopied } from "./copy-foreign.ts";
import { foreignUrl } from "./foreign-source.ts";
import { type CopySource, resolveCopySource } from "./copy-source.ts";
import { readSource } from "./read-source.ts";

/** Copy Blob: done when it is answered. */
export async function copyBlob(call: OperationCall, services: Services): Promise<Answer> {
  const copied = await copy(call, {}, services);
  const headers = { ...changeHeaders(copied), "~copy-id": copied.copyId, "~copy-status": "success" };
  return { status: 202, headers };
}

/** Copy Blob From URL: the same, and the answer carries the checksum. */
export async function copyBlobFromUrl(call: OperationCall, services: Services): Promise<Answer> {
  const copied = await copy(call, {}, services);
  const headers = {
    ...changeHeaders(copied),
    "Content-MD5": copied.contentMd5,
    "~copy-id": copied.copyId,
    "~copy-status": "success",
    ...keyHeaders(call.contentKey?.encryption ?? noEncryption),
  };
  return { status: 202, headers };
}

/** Put Blob From URL: an upload whose bytes are another blob's. */
export async function putBlobFromUrl(call: OperationCall, services: Services): Promise<Answer> {
  const { headers } = call.request;
  const own = readContentHeaders(headers);
  const hasOwn = Object.values(own).some((value) => value !== undefined);
  const takesProperties = headers.findOwn("copy-source-blob-properties")?.toLowerCase() !== "false";
  const contentHeaders =
    hasOwn || !takesProperties
      ? JSON.stringify({ ...own, contentType: own.contentType ?? "application/octet-stream" })
      : undefined;
  const copied = await copy(call, { isUpload: true, contentHeaders }, services);
  const encryption = encryptionHeaders(call.contentKey);
  return { status: 201, headers: { ...changeHeaders(copied), "Content-MD5": copied.contentMd5, ...encryption } };
}

interface CopyKind {
  /** The blob is one of its own: no copy is noted with it. */
  readonly isUpload?: boolean;
  /** JSON; absent: the source's. */
  readonly contentHeaders?: string | undefined;
}

/** A copy inside this server takes no byte along where both are stored alike; one from another server brings them here. */
async function copy(
  call: OperationCall,
  { isUpload = false, contentHeaders }: CopyKind,
  services: Services,
): Promise<ForeignCopied> {
  const asked = readCopy(call);
  const sourceKey = readSourceKey(call.request);
  const url = foreignUrl(call, services);
  if (url !== undefined) {
    const { metadata, tags } = asked;
    return copyForeign(call, url, { metadata, contentHeaders, tags, isNoted: !isUpload }, services);
  }
  const copyId = randomUUID();
  const source = await resolveCopySource(call, "covered", services);
  const input = { ...asked, source, contentHeaders, copyId: isUpload ? undefined : copyId };
  const copied =
    sourceKey === undefined && isStoredAlike(source, call, services)
      ? await services.metadata.write("copyBlob", input)
      : await copyAnew(call, input, sourceKey, services);
  return { ...copied, copyId };
}

/** Whether the new blob may share the source's stored bytes: both are encrypted with one scope, or neither is. */
function isStoredAlike(source: CopySource, { request, contentKey }: OperationCall, services: Services): boolean {
  const wanted = contentKey?.encryption ?? noEncryption;
  // Few accounts have scopes, and only there has a source to be looked at before it is copied.
  if (!isEncrypted(wanted) && services.accounts.get(source.account).encryptionScopes.size === 0) {
    return true;
  }
  if (wanted.customerKeySha256 !== undefined) {
    return false;
  }
  const stored = parseExtras(services.metadata.read(readSource(source)));
  const isScoped = stored.encryptionScope !== undefined;
  return isSameEncryption(stored, wanted) && (!isScoped || source.accountId === request.account.id);
}

/** Abort Copy Blob: copies here never wait, so there is never one to abort. */
export function abortCopy({ request }: OperationCall, services: Services): Promise<Answer> {
  const { headers, query } = request;
  const action = headers.findOwn("copy-action");
  if (action === undefined) {
    throw new StorageError("MissingRequiredHeader", { elements: { HeaderName: `${headers.family}copy-action` } });
  }
  if (action.toLowerCase() !== "abort") {
    throw invalidHeader(`${headers.family}copy-action`, action);
  }
  const copyId = query.find("copyid") ?? "";
  if (copyId === "") {
    throw invalidQuery("copyid", copyId, "the id of a copy");
  }
  const { copy } = parseExtras(services.metadata.read(getBlob(request)));
  throw new StorageError(copy !== undefined && copy.id !== copyId ? "CopyIdMismatch" : "NoPendingCopyOperation");
}

function readCopy(call: OperationCall): Omit<AskedCopy, "source" | "contentHeaders"> {
  const { headers } = call.request;
  const metadata = readMetadata(headers);
  const tags = readTagsHeader(headers);
  const copyTags = readTagOption(headers) === "COPY";
  if (copyTags && tags !== null) {
    throw new StorageError("BothUserTagsAndSourceTagsCopyPresentException");
  }
  return {
    ...blobWriteOf(call),
    sourceConditions: readSourceConditions(headers),
    sourceLeaseId: headers.findOwn("source-lease-id"),
    metadata: Object.keys(metadata).length === 0 ? undefined : storedMetadata(metadata, call.contentKey),
    tags,
    copyTags,
    tier: readTier(headers),
    immutability: readImmutability(headers, call.request.nowMs),
    seal: headers.findOwn("seal-blob")?.toLowerCase() === "true",
    sourceMd5: readMd5(headers.findOwn("source-content-md5")),
  };
}

/** Whose tags the copy gets. @throws StorageError `InvalidHeaderValue` */
function readTagOption(headers: RequestHeaders): string {
  const option = headers.findOwn("copy-source-tag-option") ?? "REPLACE";
  if (!["REPLACE", "COPY"].includes(option.toUpperCase())) {
    throw invalidHeader(`${headers.family}copy-source-tag-option`, option);
  }
  return option.toUpperCase();
}
