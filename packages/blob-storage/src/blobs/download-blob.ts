import { PassingChecksums } from "../checksums/passing-checksums.ts";
import { checksumHeaders } from "../checksums/transfer-checksums.ts";
import { checkReadConditions } from "../conditions/conditions.ts";
import { conditionTarget } from "../containers/container-commands.ts";
import { isEncrypted, keyForReading } from "../encryption/blob-encryption.ts";
import { type ContentKey } from "../encryption/content-key.ts";
import { readStoredMetadata } from "../encryption/stored-metadata.ts";
import { readRowBytes } from "../contents/row-bytes.ts";
import { readContent } from "../contents/read-content.ts";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { checkLeaseOfRead } from "../leases/lease-state.ts";
import { type BlobRow, type ContentHeaders } from "../metadata/tables.ts";
import { type Answer, type AnswerBody, type AnswerHeaders } from "../operations/answer.ts";
import { recurring } from "../operations/recurring-headers.ts";
import { type OperationCall } from "../operations/operation.ts";
import { type ByteRange, readByteRange } from "../request/byte-range.ts";
import { metadataHeaders } from "../request/metadata-headers.ts";
import { perObject } from "../request/per-object.ts";
import { remembered } from "../request/remembered.ts";
import { structuredAnswer } from "../structured-bodies/structured-answer.ts";
import { asksForStructuredBody } from "../structured-bodies/upload-body.ts";
import { type Services } from "../services.ts";
import { parseExtras } from "./blob-extras.ts";
import {
  blobHeaders,
  changeHeaders,
  noOverrides,
  overriddenHeaders,
  parseContentHeaders,
  safetyHeaders,
} from "./blob-headers.ts";
import { containerOf, getBlob, readBlobWithContent } from "./blob-address.ts";

const RANGE_CHECKSUM_LIMIT_BYTES = 4 * 1024 * 1024;

/** Get Blob: the whole blob or a range of it, streamed (storage §10); as a structured message when asked for. */
export function downloadBlob(call: OperationCall, services: Services): Answer | Promise<Answer> {
  return asksForStructuredBody(call.request.headers) ? readStructured(call, services) : readBlob(call, services);
}

async function readStructured(call: OperationCall, services: Services): Promise<Answer> {
  return structuredAnswer(await readBlob(call, services));
}

function readBlob(call: OperationCall, services: Services): Answer | Promise<Answer> {
  const { request, conditions, contentKey } = call;
  const blob = readBlobWithContent(request, services);
  // In the turn in which the row was read; see RunningReads. A row that holds the bytes needs nothing else.
  const endRead = blob.content_id === null ? noMore : services.reads.begin();
  try {
    checkLeaseOfRead(blob, request.headers.findOwn("lease-id"), request.nowMs, "Blob");
    checkReadConditions(conditions, conditionTarget(blob), () => parseContentHeaders(blob).cacheControl);
    const known = describe(blob);
    const key = keyForReading(known.encryption, contentKey, request.account.encryptionScopes);
    if (known.isArchived) {
      throw new StorageError("BlobArchived");
    }
    const overridden = overriddenHeaders(call);
    const range = readByteRange(request.headers, blob.length, blob.type === "PageBlob");
    if (range === undefined && overridden === noOverrides && known.whole !== undefined) {
      const headers = known.whole(containerOf(request));
      return { status: 200, headers, body: bodyOf(blob, 0, blob.length, services, key, endRead) };
    }
    return readPart(call, services, { blob, range, overridden, key, endRead });
  } catch (error) {
    endRead();
    throw error;
  }
}

interface PartRead {
  readonly blob: BlobRow;
  /** Undefined for the whole of it. */
  readonly range: ByteRange | undefined;
  readonly overridden: AnswerHeaders;
  readonly key: ContentKey | undefined;
  readonly endRead: () => void;
}

/** An answer whose headers are its own. */
async function readPart(call: OperationCall, services: Services, part: PartRead): Promise<Answer> {
  const { blob, range, overridden, key, endRead } = part;
  const { start, end } = range ?? { start: 0, end: blob.length };
  try {
    const checksums = await rangeChecksums(call, blob, range, services, key);
    const { contentType } = describe(blob).content;
    return {
      status: range === undefined ? 200 : 206,
      headers: {
        ...blobHeaders(blob, call.request.nowMs, key),
        ...overridden,
        ...safetyHeaders(overridden["Content-Type"] ?? contentType, containerOf(call.request)),
        "Content-Range": range && `bytes ${start === end ? "*" : `${start}-${end - 1}`}/${blob.length}`,
        ...checksums,
      },
      body: bodyOf(blob, start, end, services, key, endRead),
    };
  } catch (error) {
    endRead();
    throw error;
  }
}

const noMore = (): void => undefined;

/** What a row says, worked out once for a blob that is read often. */
const describe = perObject((blob: BlobRow) => {
  const content = parseContentHeaders(blob);
  const extras = parseExtras(blob);
  // A lease runs out by itself, and encrypted metadata needs a key; else every answer with all of a blob has the same headers.
  const recurs = blob.lease_id === null && !isEncrypted(extras);
  return {
    isArchived: extras.tier === "Archive",
    encryption: extras,
    content,
    whole: recurs ? remembered(1, (container) => wholeHeaders(blob, content, container)) : undefined,
  };
});

function wholeHeaders(blob: BlobRow, content: ContentHeaders, container: string): AnswerHeaders {
  return recurring({
    ...blobHeaders(blob, 0),
    ...safetyHeaders(content.contentType, container),
    ...wholeChecksum(content),
  });
}

function wholeChecksum({ contentMd5 }: ContentHeaders): AnswerHeaders {
  return { "Content-MD5": contentMd5, "~blob-content-md5": contentMd5 };
}

/** Verified once for as long as the row is kept. */
const storedBytes = perObject((stored: Uint8Array) => readRowBytes(stored));

function bodyOf(
  blob: BlobRow,
  start: number,
  end: number,
  services: Services,
  key: ContentKey | undefined,
  endRead: () => void,
): AnswerBody {
  if (blob.inline_content !== null) {
    return { kind: "bytes", bytes: storedBytes(blob.inline_content).subarray(start, end) };
  }
  const parts = readContent(blob, start, end, services, key);
  return { kind: "content", length: end - start, parts, release: endRead };
}

/** Get Blob Metadata: nothing of the content, whose length and encoding would be taken for those of the answer. */
export function getBlobMetadata(
  { request, conditions, contentKey }: OperationCall,
  services: Services,
): Promise<Answer> {
  const blob = services.metadata.read(getBlob(request));
  checkLeaseOfRead(blob, request.headers.findOwn("lease-id"), request.nowMs, "Blob");
  checkReadConditions(conditions, conditionTarget(blob), () => parseContentHeaders(blob).cacheControl);
  const key = keyForReading(parseExtras(blob), contentKey, request.account.encryptionScopes);
  const headers = {
    ...changeHeaders({ etag: blob.etag, lastModifiedMs: blob.last_modified_ms, versionId: blob.version_id }),
    ...metadataHeaders(readStoredMetadata(blob, key)),
  };
  return Promise.resolve({ status: 200, headers });
}

/** Get Blob Properties: what Get Blob says of a blob, without its bytes. */
export function getBlobProperties(call: OperationCall, services: Services): Promise<Answer> {
  const { request, conditions, contentKey } = call;
  const blob = services.metadata.read(getBlob(request));
  checkLeaseOfRead(blob, request.headers.findOwn("lease-id"), request.nowMs, "Blob");
  checkReadConditions(conditions, conditionTarget(blob), () => parseContentHeaders(blob).cacheControl);
  const key = keyForReading(parseExtras(blob), contentKey, request.account.encryptionScopes);
  const headers = {
    ...blobHeaders(blob, request.nowMs, key),
    ...overriddenHeaders(call),
    "Content-MD5": parseContentHeaders(blob).contentMd5,
    "Content-Length": String(blob.length),
  };
  return Promise.resolve({ status: 200, headers });
}

/** The stored MD5; of a range the checksum of its bytes too, when asked for. */
async function rangeChecksums(
  { request: { headers } }: OperationCall,
  blob: BlobRow,
  range: ByteRange | undefined,
  services: Services,
  key: ContentKey | undefined,
): Promise<AnswerHeaders> {
  const { content } = describe(blob);
  if (range === undefined) {
    return wholeChecksum(content);
  }
  const stored = content.contentMd5;
  const isWanted = (name: string): boolean => headers.findOwn(name)?.toLowerCase() === "true";
  const wanted = { md5: isWanted("range-get-content-md5"), crc64: isWanted("range-get-content-crc64") };
  if (!wanted.md5 && !wanted.crc64) {
    return { "~blob-content-md5": stored };
  }
  if (wanted.md5 && wanted.crc64) {
    throw new StorageError("BothCrc64AndMd5HeaderPresent");
  }
  if (range.end - range.start > RANGE_CHECKSUM_LIMIT_BYTES) {
    throw invalidHeader(`${headers.family}range-get-content-${wanted.md5 ? "md5" : "crc64"}`, "true");
  }
  const checksums = new PassingChecksums(wanted);
  for await (const part of readContent(blob, range.start, range.end, services, key)) {
    checksums.update(part);
  }
  return { ...checksumHeaders(checksums.finish()), "~blob-content-md5": stored };
}
