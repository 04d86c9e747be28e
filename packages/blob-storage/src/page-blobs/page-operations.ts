import { blobWriteOf, requireContainer } from "../blobs/blob-address.ts";
import { changeHeaders } from "../blobs/blob-headers.ts";
import { checkChecksums, checksumHeaders, readGivenChecksums, wantedForPart } from "../checksums/transfer-checksums.ts";
import { receiveSource } from "../copies/receive-source.ts";
import { receiveBody, type ReceivedBody } from "../contents/receive-body.ts";
import { encryptionHeaders } from "../encryption/blob-encryption.ts";
import { storedMetadata } from "../encryption/stored-metadata.ts";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { type Answer, type AnswerHeaders } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { readUploadHeaders } from "../request/content-headers.ts";
import { readMetadata } from "../request/metadata-headers.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { readContentLength } from "../request/upload-limits.ts";
import { readUploadBody, structuredHeaders } from "../structured-bodies/upload-body.ts";
import { type Services } from "../services.ts";
import { readTagsHeader } from "../tags/tags.ts";
import { readNewExtras } from "../blobs/new-blob-extras.ts";
import { type PagesChanged, type SequenceConditions } from "./page-commands.ts";
import { type PageRange } from "./page-ranges.ts";

const PAGE_BYTES = 512;
const WRITE_LIMIT_BYTES = 4 * 1024 * 1024;
const BLOB_LIMIT_BYTES = 8 * 1024 ** 4;

/** Put Blob of a page blob: as long as it says, and all zeros, which take no room. */
export async function createPageBlob(call: OperationCall, services: Services): Promise<Answer> {
  const { request } = call;
  const { headers } = request;
  const bodyLength = headers.find("content-length");
  if (readContentLength(bodyLength, Number.MAX_SAFE_INTEGER) !== 0) {
    throw invalidHeader("Content-Length", bodyLength ?? "");
  }
  const length = readBlobLength(headers);
  const sequenceNumber = readNumber(headers, "blob-sequence-number") ?? 0;
  const changed = await services.metadata.write("createEmptyBlob", {
    ...blobWriteOf(call),
    blob: {
      type: "PageBlob",
      length,
      contentHeaders: JSON.stringify(readUploadHeaders(headers)),
      metadata: storedMetadata(readMetadata(headers), call.contentKey),
      tags: readTagsHeader(headers),
      extras: JSON.stringify({ ...readNewExtras(call, "PageBlob"), sequenceNumber }),
    },
  });
  return { status: 201, headers: { ...changeHeaders(changed), ...encryptionHeaders(call.contentKey) } };
}

/** Put Page with `update`. */
export async function uploadPages(call: OperationCall, services: Services): Promise<Answer> {
  const { request } = call;
  const { headers } = request;
  const upload = readUploadBody(request, WRITE_LIMIT_BYTES);
  const range = readPageRange(headers);
  if (range.end - range.start !== upload.lengthBytes) {
    throw invalidHeader("Content-Length", String(upload.lengthBytes));
  }
  const given = readGivenChecksums(headers);
  requireContainer(request, services);
  const wanted = { ...wantedForPart(given), crc64: true };
  const body = await receiveBody(upload, services, wanted, call.contentKey);
  const answer = await writePages(call, range, body, services, () => checkChecksums(given, body.checksums));
  return { ...answer, headers: { ...answer.headers, ...structuredHeaders(upload) } };
}

/** Put Page From URL: a range of another blob of this server. */
export async function uploadPagesFromUrl(call: OperationCall, services: Services): Promise<Answer> {
  const { headers } = call.request;
  const range = readPageRange(headers);
  requireContainer(call.request, services);
  const body = await receiveSource(call, "pages", WRITE_LIMIT_BYTES, services);
  return writePages(call, range, body, services, () => {
    if (body.bytes.length !== range.end - range.start) {
      throw invalidHeader(`${headers.family}source-range`, headers.findOwn("source-range") ?? "");
    }
  });
}

async function writePages(
  call: OperationCall,
  range: PageRange,
  body: ReceivedBody,
  services: Services,
  check: () => void,
): Promise<Answer> {
  try {
    check();
    const sequence = readSequenceConditions(call.request.headers);
    const write = { ...blobWriteOf(call), range, received: body.bytes, sequence };
    const changed = await services.metadata.write("writePages", write);
    return { status: 201, headers: { ...pageHeaders(changed, call), ...checksumHeaders(body.checksums) } };
  } catch (error) {
    await body.discard();
    throw error;
  }
}

/** Put Page with `clear`. */
export async function clearPages(call: OperationCall, services: Services): Promise<Answer> {
  const { headers } = call.request;
  const length = headers.find("content-length") ?? "0";
  if (length !== "0") {
    throw invalidHeader("Content-Length", length);
  }
  const clear = { range: readPageRange(headers), received: undefined, sequence: readSequenceConditions(headers) };
  const changed = await services.metadata.write("writePages", { ...blobWriteOf(call), ...clear });
  return { status: 201, headers: pageHeaders(changed, call) };
}

/** Set Blob Properties with `~blob-content-length`. */
export async function resizePageBlob(call: OperationCall, services: Services): Promise<Answer> {
  const length = readBlobLength(call.request.headers);
  const changed = await services.metadata.write("resizePageBlob", { ...blobWriteOf(call), length });
  return { status: 200, headers: pageHeaders(changed, call) };
}

/** Set Blob Properties with `~sequence-number-action`. */
export async function setSequenceNumber(call: OperationCall, services: Services): Promise<Answer> {
  const { headers } = call.request;
  const text = headers.findOwn("sequence-number-action") ?? "";
  const action = text.toLowerCase();
  if (action !== "max" && action !== "update" && action !== "increment") {
    throw invalidHeader(`${headers.family}sequence-number-action`, text);
  }
  const number = readNumber(headers, "blob-sequence-number");
  if ((action === "increment") !== (number === undefined)) {
    throw number === undefined
      ? new StorageError("MissingRequiredHeader", { elements: { HeaderName: `${headers.family}blob-sequence-number` } })
      : invalidHeader(`${headers.family}blob-sequence-number`, String(number));
  }
  const changed = await services.metadata.write("setSequenceNumber", { ...blobWriteOf(call), action, number });
  return { status: 200, headers: pageHeaders(changed, call) };
}

function pageHeaders(changed: PagesChanged, { contentKey }: OperationCall): AnswerHeaders {
  return {
    ...changeHeaders(changed),
    "~blob-sequence-number": String(changed.sequenceNumber),
    ...encryptionHeaders(contentKey),
  };
}

/** `bytes=a-b` on whole pages. @throws StorageError `MissingRequiredHeader`, `InvalidHeaderValue`, `InvalidPageRange` */
function readPageRange(headers: RequestHeaders): PageRange {
  const text = headers.findOwn("range") ?? headers.find("range");
  if (text === undefined) {
    throw new StorageError("MissingRequiredHeader", { elements: { HeaderName: `${headers.family}range` } });
  }
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/u.exec(text.trim()) ?? [];
  if (first === undefined || last === undefined) {
    throw invalidHeader(`${headers.family}range`, text);
  }
  const range = { start: Number(first), end: Number(last) + 1 };
  if (range.start >= range.end || range.start % PAGE_BYTES !== 0 || range.end % PAGE_BYTES !== 0) {
    throw new StorageError("InvalidPageRange");
  }
  return range;
}

function readBlobLength(headers: RequestHeaders): number {
  const length = readNumber(headers, "blob-content-length");
  if (length === undefined) {
    throw new StorageError("MissingRequiredHeader", {
      elements: { HeaderName: `${headers.family}blob-content-length` },
    });
  }
  if (length % PAGE_BYTES !== 0 || length > BLOB_LIMIT_BYTES) {
    throw invalidHeader(`${headers.family}blob-content-length`, String(length));
  }
  return length;
}

function readSequenceConditions(headers: RequestHeaders): SequenceConditions {
  return {
    atMost: readNumber(headers, "if-sequence-number-le"),
    lessThan: readNumber(headers, "if-sequence-number-lt"),
    equalTo: readNumber(headers, "if-sequence-number-eq"),
  };
}

function readNumber(headers: RequestHeaders, name: string): number | undefined {
  const text = headers.findOwn(name);
  if (text === undefined) {
    return undefined;
  }
  const number = Number(text);
  if (!/^\d{1,16}$/u.test(text) || !Number.isSafeInteger(number)) {
    throw invalidHeader(headers.family + name, text);
  }
  return number;
}
