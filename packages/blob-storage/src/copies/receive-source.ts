import { checkChecksums, type GivenChecksums } from "../checksums/transfer-checksums.ts";
import { checkReadConditions } from "../conditions/conditions.ts";
import { conditionTarget } from "../containers/container-commands.ts";
import { type ReceivedBody, receiveParts } from "../contents/receive-body.ts";
import { readContent } from "../contents/read-content.ts";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { type BlobRow } from "../metadata/tables.ts";
import { type OperationCall } from "../operations/operation.ts";
import { readMd5 } from "../request/content-headers.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type Services } from "../services.ts";
import { readSourceConditions } from "./copy-operations.ts";
import { resolveCopySource } from "./copy-source.ts";
import { readSource } from "./read-source.ts";

/**
 * Takes in a range of another blob of this server as if it had been sent: for parts of blobs whose bytes are given
 * by URL (Put Block, Append Block and Put Page From URL).
 *
 * @throws StorageError also `RequestBodyTooLarge`, `InvalidRange`, `SourceConditionNotMet`
 */
export async function receiveSource(
  call: OperationCall,
  limitBytes: number,
  services: Services,
): Promise<ReceivedBody> {
  const { headers } = call.request;
  const source = resolveCopySource(call, services);
  const endRead = services.reads.begin();
  try {
    const blob = services.metadata.readConsistently(readSource(source));
    checkSource(headers, blob);
    const { start, end } = readSourceRange(headers, blob.length);
    if (end - start > limitBytes) {
      throw new StorageError("RequestBodyTooLarge", { elements: { MaxLimit: String(limitBytes) } });
    }
    const given: GivenChecksums = {
      md5: readMd5(headers.findOwn("source-content-md5")),
      crc64: headers.findOwn("source-content-crc64"),
    };
    const wanted = { md5: given.md5 !== undefined, crc64: true };
    const body = await receiveParts(readContent(blob, start, end, services), end - start, services, wanted);
    return await verified(body, given);
  } finally {
    endRead();
  }
}

function checkSource(headers: RequestHeaders, blob: BlobRow): void {
  try {
    checkReadConditions(readSourceConditions(headers), conditionTarget(blob));
  } catch {
    throw new StorageError("SourceConditionNotMet");
  }
}

async function verified(body: ReceivedBody, given: GivenChecksums): Promise<ReceivedBody> {
  try {
    checkChecksums(given, body.checksums);
    return body;
  } catch (error) {
    await body.discard();
    throw error;
  }
}

/** `~source-range`; without one, the whole source. */
function readSourceRange(
  headers: RequestHeaders,
  lengthBytes: number,
): { readonly start: number; readonly end: number } {
  const text = headers.findOwn("source-range");
  if (text === undefined) {
    return { start: 0, end: lengthBytes };
  }
  const [, first, last = ""] = /^bytes=(\d{1,15})-(\d{0,15})$/u.exec(text.trim()) ?? [];
  if (first === undefined) {
    throw invalidHeader(`${headers.family}source-range`, text);
  }
  const start = Number(first);
  const end = last === "" ? lengthBytes : Number(last) + 1;
  if (start >= end || end > lengthBytes) {
    throw new StorageError("InvalidRange", { headers: { "Content-Range": `bytes */${lengthBytes}` } });
  }
  return { start, end };
}
