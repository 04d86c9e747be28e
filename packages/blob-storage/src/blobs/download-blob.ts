import { checksumHeaders, PassingChecksums } from "../checksums/transfer-checksums.ts";
import { checkReadConditions } from "../conditions/conditions.ts";
import { conditionTarget } from "../containers/container-commands.ts";
import { readContent } from "../contents/read-content.ts";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { checkLeaseOfRead } from "../leases/lease-state.ts";
import { perRow } from "../metadata/per-row.ts";
import { type BlobRow } from "../metadata/tables.ts";
import { type Answer, type AnswerBody, type AnswerHeaders } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { type ByteRange, readByteRange } from "../request/byte-range.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type Services } from "../services.ts";
import { parseExtras } from "./blob-extras.ts";
import { blobHeaders, overriddenHeaders, parseContentHeaders, safetyHeaders } from "./blob-headers.ts";
import { containerOf, getBlob, readBlobWithContent } from "./blob-address.ts";

const RANGE_CHECKSUM_LIMIT_BYTES = 4 * 1024 * 1024;

/** Get Blob: the whole blob or a range of it, streamed (storage §10). */
export async function downloadBlob(call: OperationCall, services: Services): Promise<Answer> {
  const { request, conditions } = call;
  const endRead = services.reads.begin();
  try {
    const blob = readBlobWithContent(request, services);
    checkLeaseOfRead(blob, request.headers.findOwn("lease-id"), request.nowMs, "Blob");
    checkReadConditions(conditions, conditionTarget(blob));
    const { isArchived, content, headers } = describe(blob);
    if (isArchived) {
      throw new StorageError("BlobArchived");
    }
    const overridden = overriddenHeaders(call);
    const range = readByteRange(request.headers, blob.length, blob.type === "PageBlob");
    const { start, end } = range ?? { start: 0, end: blob.length };
    const checksums = await rangeChecksums(request.headers, blob, range, services);
    return {
      status: range === undefined ? 200 : 206,
      headers: {
        ...(headers ?? blobHeaders(blob, request.nowMs)),
        ...overridden,
        ...safetyHeaders(overridden["Content-Type"] ?? content.contentType, containerOf(request)),
        "Content-Range": range && `bytes ${start === end ? "*" : `${start}-${end - 1}`}/${blob.length}`,
        ...checksums,
      },
      body: bodyOf(blob, start, end, services, endRead),
    };
  } catch (error) {
    endRead();
    throw error;
  }
}

/** What a row says, worked out once for a blob that is read often. */
const describe = perRow((blob: BlobRow) => ({
  isArchived: parseExtras(blob).tier === "Archive",
  content: parseContentHeaders(blob),
  // A lease runs out by itself; of a blob without one every answer says the same.
  headers: blob.lease_id === null ? blobHeaders(blob, 0) : undefined,
}));

function bodyOf(blob: BlobRow, start: number, end: number, services: Services, endRead: () => void): AnswerBody {
  if (blob.inline_content !== null) {
    endRead();
    return { kind: "bytes", bytes: blob.inline_content.subarray(start, end) };
  }
  return { kind: "content", length: end - start, parts: readContent(blob, start, end, services), release: endRead };
}

/** Get Blob Properties, and Get Blob Metadata, which says the same in fewer words. */
export function getBlobProperties(call: OperationCall, services: Services): Promise<Answer> {
  const { request, conditions } = call;
  const blob = services.metadata.read(getBlob(request));
  checkLeaseOfRead(blob, request.headers.findOwn("lease-id"), request.nowMs, "Blob");
  checkReadConditions(conditions, conditionTarget(blob));
  const headers = {
    ...blobHeaders(blob, request.nowMs),
    ...overriddenHeaders(call),
    "Content-MD5": parseContentHeaders(blob).contentMd5,
    "Content-Length": String(blob.length),
  };
  return Promise.resolve({ status: 200, headers });
}

/** The stored MD5; of a range the checksum of its bytes too, when asked for. */
async function rangeChecksums(
  headers: RequestHeaders,
  blob: BlobRow,
  range: ByteRange | undefined,
  services: Services,
): Promise<AnswerHeaders> {
  const stored = describe(blob).content.contentMd5;
  if (range === undefined) {
    return { "Content-MD5": stored, "~blob-content-md5": stored };
  }
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
  for await (const part of readContent(blob, range.start, range.end, services)) {
    checksums.update(part);
  }
  return { ...checksumHeaders(checksums.finish()), "~blob-content-md5": stored };
}
