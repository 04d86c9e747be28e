import { checkChecksums, type GivenChecksums, readSourceChecksums } from "../checksums/transfer-checksums.ts";
import { checkReadConditions } from "../conditions/conditions.ts";
import { readSourceConditions } from "../conditions/read-conditions.ts";
import { conditionTarget } from "../containers/container-commands.ts";
import { type ReceivedBody, receiveParts } from "../contents/receive-body.ts";
import { readContent } from "../contents/read-content.ts";
import { readSourceKey } from "../encryption/read-customer-key.ts";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { type BlobRow } from "../metadata/tables.ts";
import { type OperationCall } from "../operations/operation.ts";
import { type Addition, requireRoom } from "../quotas/require-room.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type Services } from "../services.ts";
import { receiveForeign } from "./copy-foreign.ts";
import { type ForeignSource, foreignUrl, openForeignSource } from "./foreign-source.ts";
import { resolveCopySource } from "./copy-source.ts";
import { keyOfSource, readSource } from "./read-source.ts";

/**
 * Takes in a range of another blob of this server as if it had been sent: for parts of blobs whose bytes are given
 * by URL (Put Block, Append Block and Put Page From URL).
 *
 * @throws StorageError also `RequestBodyTooLarge`, `InvalidRange`, `SourceConditionNotMet`
 */
export async function receiveSource(
  call: OperationCall,
  addition: Addition,
  limitBytes: number,
  services: Services,
): Promise<ReceivedBody> {
  const { headers } = call.request;
  const bodyLength = headers.find("content-length") ?? "0";
  if (bodyLength !== "0") {
    throw invalidHeader("Content-Length", bodyLength);
  }
  const given = readSourceChecksums(headers);
  const sourceKey = readSourceKey(call.request);
  const range = readSourceRange(headers);
  const url = foreignUrl(call, services);
  if (url !== undefined) {
    const source = await openForeignSource(call, url, headers.findOwn("source-range"), limitBytes, services);
    return receiveForeignPart(call, source, addition, given, services);
  }
  const source = await resolveCopySource(call, "its-own", services);
  const endRead = services.reads.begin();
  try {
    const blob = services.metadata.readConsistently(readSource(source));
    checkSource(headers, blob);
    const key = keyOfSource(blob, source, sourceKey, services.accounts);
    const { start, end } = within(range, blob.length);
    if (end - start > limitBytes) {
      throw new StorageError("RequestBodyTooLarge", { elements: { MaxLimit: String(limitBytes) } });
    }
    requireRoom(call.request, addition, end - start, services);
    const wanted = { md5: given.crc64 === undefined, crc64: given.crc64 !== undefined };
    const parts = readContent(blob, start, end, services, key);
    const body = await receiveParts(parts, end - start, services, wanted, call.contentKey);
    return await verified(body, given);
  } finally {
    endRead();
  }
}

/** Like an upload: what the source sends is checked here. */
async function receiveForeignPart(
  call: OperationCall,
  source: ForeignSource,
  addition: Addition,
  given: GivenChecksums,
  services: Services,
): Promise<ReceivedBody> {
  const body = await receiveForeign(call, source, addition, services);
  const { md5, crc64 } = body.checksums;
  const told = given.crc64 === undefined ? { md5 } : { crc64 };
  return { ...(await verified(body, given)), checksums: told };
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

interface SourceRange {
  readonly start: number;
  /** The byte after the last one; absent: the end of the source. */
  readonly end?: number;
}

/** `~source-range`; without one, the whole source. @throws StorageError `InvalidHeaderValue` */
function readSourceRange(headers: RequestHeaders): SourceRange {
  const text = headers.findOwn("source-range");
  if (text === undefined) {
    return { start: 0 };
  }
  const [, first, last = ""] = /^bytes=(\d{1,15})-(\d{0,15})$/u.exec(text.trim()) ?? [];
  if (first === undefined || (last !== "" && Number(last) < Number(first))) {
    throw invalidHeader(`${headers.family}source-range`, text);
  }
  return { start: Number(first), ...(last === "" ? {} : { end: Number(last) + 1 }) };
}

/** @throws StorageError `InvalidRange` for one that the source doesn't have */
function within({ start, end }: SourceRange, lengthBytes: number): Required<SourceRange> {
  const last = end ?? lengthBytes;
  if (start > last || last > lengthBytes) {
    throw new StorageError("InvalidRange", { headers: { "Content-Range": `bytes */${lengthBytes}` } });
  }
  return { start, end: last };
}
