import { blobWriteOf } from "../blobs/blob-address.ts";
import { type BlobWrite, getBlobForWrite } from "../blobs/blob-commands.ts";
import { type BlobExtras, parseExtras } from "../blobs/blob-extras.ts";
import { changeHeaders } from "../blobs/blob-headers.ts";
import { type Changed } from "../containers/container-commands.ts";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { type Command } from "../metadata/command.ts";
import { run } from "../metadata/steps.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { parseConditionDate } from "../request/http-date.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type Services } from "../services.ts";
import { updateBlobExpiry } from "./expiry-statements.ts";

/** When a blob ends: at a time, or some time after it was made; absent: never. Milliseconds. */
export type Expiry = { readonly atMs: number } | { readonly afterCreationMs: number } | undefined;

/** Set Blob Expiry (storage §10): from then on the blob isn't there. */
export async function setExpiry(call: OperationCall, services: Services): Promise<Answer> {
  const { request } = call;
  const expiry = readExpiry(request.headers, request.nowMs);
  const changed = await services.metadata.write("setExpiry", { ...blobWriteOf(call), expiry });
  return { status: 200, headers: changeHeaders(changed) };
}

export interface SetExpiryInput extends BlobWrite {
  readonly expiry: Expiry;
}

/** Neither ETag nor time of change follow: the blob is what it was. */
export const setExpiryOfBlob: Command<SetExpiryInput, Changed> = function* (input, context) {
  const blob = yield* getBlobForWrite(input, context);
  const { expiry } = input;
  const expiresMs = expiry && ("atMs" in expiry ? expiry.atMs : blob.created_ms + expiry.afterCreationMs);
  const extras: BlobExtras = { ...parseExtras(blob), expiresMs };
  yield* run(updateBlobExpiry, {
    containerId: blob.container_id,
    name: blob.name,
    extras: JSON.stringify(extras),
    purgeMs: expiresMs ?? null,
  });
  return { etag: blob.etag, lastModifiedMs: blob.last_modified_ms, versionId: blob.version_id };
};

function readExpiry(headers: RequestHeaders, nowMs: number): Expiry {
  const option = headers.findOwn("expiry-option");
  if (option === undefined) {
    throw new StorageError("MissingRequiredHeader", { elements: { HeaderName: `${headers.family}expiry-option` } });
  }
  switch (option.toLowerCase()) {
    case "neverexpire":
      return undefined;
    case "relativetonow":
      return { atMs: nowMs + readPeriod(headers) };
    case "relativetocreation":
      return { afterCreationMs: readPeriod(headers) };
    case "absolute":
      return { atMs: readTime(headers, nowMs) };
    default:
      throw invalidHeader(`${headers.family}expiry-option`, option);
  }
}

function timeText(headers: RequestHeaders): string {
  const text = headers.findOwn("expiry-time");
  if (text === undefined) {
    throw new StorageError("MissingRequiredHeader", { elements: { HeaderName: `${headers.family}expiry-time` } });
  }
  return text;
}

function readPeriod(headers: RequestHeaders): number {
  const text = timeText(headers);
  if (!/^\d{1,15}$/u.test(text)) {
    throw invalidHeader(`${headers.family}expiry-time`, text);
  }
  return Number(text);
}

function readTime(headers: RequestHeaders, nowMs: number): number {
  const text = timeText(headers);
  const ms = parseConditionDate(text);
  if (ms === undefined || ms <= nowMs) {
    throw invalidHeader(`${headers.family}expiry-time`, text);
  }
  return ms;
}
