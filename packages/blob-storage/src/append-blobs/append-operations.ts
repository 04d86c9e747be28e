import { blobWriteOf, requireContainer } from "../blobs/blob-address.ts";
import { changeHeaders } from "../blobs/blob-headers.ts";
import { checkChecksums, checksumHeaders, readGivenChecksums, wantedForPart } from "../checksums/transfer-checksums.ts";
import { receiveSource } from "../copies/receive-source.ts";
import { receiveBody, type ReceivedBody } from "../contents/receive-body.ts";
import { encryptionHeaders } from "../encryption/blob-encryption.ts";
import { storedMetadata } from "../encryption/stored-metadata.ts";
import { invalidHeader } from "../errors/storage-error.ts";
import { readImmutability } from "../immutability/read-immutability.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { requireRoom } from "../quotas/require-room.ts";
import { readUploadHeaders } from "../request/content-headers.ts";
import { readMetadata } from "../request/metadata-headers.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { appendLimitBytes, readContentLength } from "../request/upload-limits.ts";
import { readTagsHeader } from "../tags/tags.ts";
import { readUploadBody, structuredHeaders } from "../structured-bodies/upload-body.ts";
import { type Services } from "../services.ts";

/** Put Blob of an append blob: empty, ready to be appended to. */
export async function createAppendBlob(call: OperationCall, services: Services): Promise<Answer> {
  const { headers } = call.request;
  const length = headers.find("content-length");
  if (readContentLength(length, Number.MAX_SAFE_INTEGER) !== 0) {
    throw invalidHeader("Content-Length", length ?? "");
  }
  const changed = await services.metadata.write("createEmptyBlob", {
    ...blobWriteOf(call),
    blob: {
      type: "AppendBlob",
      length: 0,
      contentHeaders: JSON.stringify(readUploadHeaders(headers)),
      metadata: storedMetadata(readMetadata(headers), call.contentKey),
      tags: readTagsHeader(headers),
      extras: JSON.stringify({
        ...readImmutability(headers, call.request.nowMs),
        ...call.contentKey?.encryption,
        blockCount: 0,
      }),
    },
  });
  return { status: 201, headers: { ...changeHeaders(changed), ...encryptionHeaders(call.contentKey) } };
}

/** Append Block. */
export async function appendBlock(call: OperationCall, services: Services): Promise<Answer> {
  const { request } = call;
  const { headers } = request;
  const upload = readUploadBody(request, appendLimitBytes(request.version));
  if (upload.lengthBytes === 0) {
    throw invalidHeader("Content-Length", "0");
  }
  const given = readGivenChecksums(headers);
  requireContainer(request, services);
  requireRoom(request, "appended block", upload.lengthBytes, services);
  const wanted = { ...wantedForPart(given), crc64: true };
  const body = await receiveBody(upload, services, wanted, call.contentKey);
  const answer = await append(call, body, services, () => checkChecksums(given, body.checksums));
  return { ...answer, headers: { ...answer.headers, ...structuredHeaders(upload) } };
}

/** Append Block From URL: a range of another blob of this server. */
export async function appendBlockFromUrl(call: OperationCall, services: Services): Promise<Answer> {
  requireContainer(call.request, services);
  const limitBytes = appendLimitBytes(call.request.version);
  const body = await receiveSource(call, "appended block", limitBytes, services);
  return append(call, body, services);
}

async function append(
  call: OperationCall,
  body: ReceivedBody,
  services: Services,
  check: () => void = () => undefined,
): Promise<Answer> {
  const { headers } = call.request;
  try {
    check();
    const position = readPosition(headers, "blob-condition-appendpos");
    const maxSize = readPosition(headers, "blob-condition-maxsize");
    const input = { ...blobWriteOf(call), received: body.bytes, position, maxSize };
    const appended = await services.metadata.write("appendBlock", input);
    return {
      status: 201,
      headers: {
        ...changeHeaders(appended),
        ...checksumHeaders(body.checksums),
        "~blob-append-offset": String(appended.offset),
        "~blob-committed-block-count": String(appended.blockCount),
        ...encryptionHeaders(call.contentKey),
      },
    };
  } catch (error) {
    await body.discard();
    throw error;
  }
}

/** Append Blob Seal. */
export async function sealAppendBlob(call: OperationCall, services: Services): Promise<Answer> {
  const position = readPosition(call.request.headers, "blob-condition-appendpos");
  const changed = await services.metadata.write("sealBlob", { ...blobWriteOf(call), position });
  return { status: 200, headers: { ...changeHeaders(changed), "~blob-sealed": "true" } };
}

function readPosition(headers: RequestHeaders, name: string): number | undefined {
  const value = headers.findOwn(name);
  if (value === undefined) {
    return undefined;
  }
  if (!/^\d{1,15}$/u.test(value)) {
    throw invalidHeader(headers.family + name, value);
  }
  return Number(value);
}
