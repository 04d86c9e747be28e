import { blobWriteOf, containerOf, getBlob, requireContainer } from "../blobs/blob-address.ts";
import { changeHeaders } from "../blobs/blob-headers.ts";
import { type BlobProperties } from "../blobs/blob-statements.ts";
import { checkChecksums, checksumHeaders, readGivenChecksums, wantedForPart } from "../checksums/transfer-checksums.ts";
import { PassingChecksums } from "../checksums/passing-checksums.ts";
import { checkTagCondition } from "../conditions/conditions.ts";
import { getContainer } from "../containers/container-commands.ts";
import { receiveSource } from "../copies/receive-source.ts";
import { encryptionHeaders } from "../encryption/blob-encryption.ts";
import { storedMetadata } from "../encryption/stored-metadata.ts";
import { gatherBody } from "../contents/gather-body.ts";
import { receiveBody, type ReceivedBody } from "../contents/receive-body.ts";
import { invalidHeader, invalidQuery, StorageError } from "../errors/storage-error.ts";
import { checkLeaseOfRead } from "../leases/lease-state.ts";
import { all, type Steps } from "../metadata/steps.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { readContentHeaders } from "../request/content-headers.ts";
import { readMetadata } from "../request/metadata-headers.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { blockLimitBytes, readContentLength } from "../request/upload-limits.ts";
import { readTagsHeader } from "../tags/tags.ts";
import { readNewExtras } from "../blobs/new-blob-extras.ts";
import { requireRoom } from "../quotas/require-room.ts";
import { readUploadBody, structuredHeaders } from "../structured-bodies/upload-body.ts";
import { type Services } from "../services.ts";
import { readXml } from "../xml/read-xml.ts";
import { element, textElement, xmlDocument } from "../xml/write-xml.ts";
import { type BlockListEntry, type BlockSource } from "./block-commands.ts";
import { listCommittedBlocks, listStagedBlocks } from "./staged-statements.ts";

const BLOCK_ID_BYTES = 64;
const BLOCK_LIST_LIMIT = 50_000;
const BLOCK_LIST_LIMIT_BYTES = 16 * 1024 * 1024;

/** Put Block: bytes that a later block list may name. */
export async function stageBlock(call: OperationCall, services: Services): Promise<Answer> {
  const { request } = call;
  const upload = readUploadBody(request, blockLimitBytes(request.version));
  if (upload.lengthBytes === 0) {
    throw invalidHeader("Content-Length", "0");
  }
  const blockId = readBlockId(request.query.find("blockid"));
  const given = readGivenChecksums(request.headers);
  requireContainer(request, services);
  requireRoom(request, "staged block", upload.lengthBytes, services);
  const body = await receiveBody(upload, services, wantedForPart(given), call.contentKey);
  const answer = await keepBlock(call, blockId, body, services, () => checkChecksums(given, body.checksums));
  return { ...answer, headers: { ...answer.headers, ...structuredHeaders(upload) } };
}

/** Put Block From URL: a range of another blob of this server. */
export async function stageBlockFromUrl(call: OperationCall, services: Services): Promise<Answer> {
  const { request } = call;
  const blockId = readBlockId(request.query.find("blockid"));
  requireContainer(request, services);
  const body = await receiveSource(call, "staged block", blockLimitBytes(request.version), services);
  return keepBlock(call, blockId, body, services);
}

async function keepBlock(
  call: OperationCall,
  blockId: string,
  body: ReceivedBody,
  services: Services,
  check: () => void = () => undefined,
): Promise<Answer> {
  try {
    check();
    await services.metadata.write("stageBlock", { ...blobWriteOf(call), blockId, received: body.bytes });
  } catch (error) {
    await body.discard();
    throw error;
  }
  return { status: 201, headers: { ...checksumHeaders(body.checksums), ...encryptionHeaders(call.contentKey) } };
}

/** Put Block List: makes a blob of blocks. */
export async function commitBlockList(call: OperationCall, services: Services): Promise<Answer> {
  const { request } = call;
  const length = readContentLength(request.headers.find("content-length"), BLOCK_LIST_LIMIT_BYTES);
  const content = readContentHeaders(request.headers);
  const metadata = readMetadata(request.headers);
  const given = readGivenChecksums(request.headers);
  const body = await gatherBody(request.body, length);
  const passing = new PassingChecksums({ md5: true, crc64: true });
  passing.update(body);
  const checksums = passing.finish();
  checkChecksums(given, checksums);
  const changed = await services.metadata.write("commitBlockList", {
    ...blobWriteOf(call),
    entries: readBlockList(body),
    blob: {
      type: "BlockBlob",
      contentHeaders: JSON.stringify({
        ...content,
        contentType: content.contentType ?? "application/octet-stream",
      }),
      metadata: storedMetadata(metadata, call.contentKey),
      tags: readTagsHeader(request.headers),
      extras: JSON.stringify(readNewExtras(call, "BlockBlob")),
    },
  });
  const encryption = encryptionHeaders(call.contentKey);
  return { status: 201, headers: { ...changeHeaders(changed), ...checksumHeaders(checksums), ...encryption } };
}

/** Get Block List: the blocks of a blob, of those that wait, or both. */
export function getBlockList({ request, conditions }: OperationCall, services: Services): Promise<Answer> {
  const type = (request.query.find("blocklisttype") ?? "committed").toLowerCase();
  if (type !== "committed" && type !== "uncommitted" && type !== "all") {
    throw invalidQuery("blocklisttype", type, "one of committed, uncommitted, all");
  }
  const { blob, committed, staged } = services.metadata.readConsistently(readBlocks(request));
  checkTagCondition(conditions, blob);
  const lists =
    (type === "uncommitted" ? "" : element("CommittedBlocks", committed.map(blockElement).join(""))) +
    (type === "committed" ? "" : element("UncommittedBlocks", staged.map(blockElement).join("")));
  const change = blob && changeHeaders({ etag: blob.etag, lastModifiedMs: blob.last_modified_ms });
  return Promise.resolve({
    status: 200,
    headers: { ...change, "~blob-content-length": String(blob?.length ?? 0) },
    body: { kind: "xml", text: xmlDocument(element("BlockList", lists)) },
  });
}

interface Block {
  readonly block_id: string;
  readonly length: number;
}

interface Blocks {
  readonly blob: BlobProperties | undefined;
  readonly committed: readonly Block[];
  readonly staged: readonly Block[];
}

function* readBlocks(request: StorageRequest): Steps<Blocks> {
  const container = yield* getContainer({ accountId: request.account.id, name: containerOf(request) });
  const key = { containerId: container.container_id, name: request.address.blob ?? "" };
  const staged = request.query.has("snapshot") ? [] : yield* all(listStagedBlocks, key);
  const blob = yield* findOrNone(request, staged.length > 0);
  if (blob !== undefined && blob.type !== "BlockBlob") {
    throw new StorageError("InvalidBlobType");
  }
  if (blob !== undefined) {
    checkLeaseOfRead(blob, request.headers.findOwn("lease-id"), request.nowMs, "Blob");
  }
  const contentId = blob?.content_id ?? null;
  const committed = contentId === null ? [] : yield* all(listCommittedBlocks, { contentId });
  return { blob, committed, staged };
}

/** A blob that has only staged blocks isn't there for others, but its blocks are. */
function* findOrNone(request: StorageRequest, mayBeMissing: boolean): Steps<BlobProperties | undefined> {
  try {
    return yield* getBlob(request);
  } catch (error) {
    if (mayBeMissing && error instanceof StorageError && error.code === "BlobNotFound") {
      return undefined;
    }
    throw error;
  }
}

function blockElement({ block_id, length }: Block): string {
  return element("Block", textElement("Name", block_id) + textElement("Size", length));
}

/** @throws StorageError `MissingRequiredQueryParameter`, `InvalidQueryParameterValue` or `OutOfRangeInput` */
function readBlockId(text: string | undefined): string {
  if (text === undefined || text === "") {
    throw new StorageError("MissingRequiredQueryParameter", { elements: { QueryParameterName: "blockid" } });
  }
  if (!isBase64(text)) {
    throw invalidQuery("blockid", text, "not base64");
  }
  if (Buffer.from(text, "base64").length > BLOCK_ID_BYTES) {
    throw new StorageError("OutOfRangeInput");
  }
  return text;
}

function isBase64(text: string): boolean {
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u.test(text);
}

const SOURCES: ReadonlySet<string> = new Set(["Committed", "Uncommitted", "Latest"] satisfies BlockSource[]);

function readBlockList(body: Uint8Array): readonly BlockListEntry[] {
  const entries = readXml(body, "BlockList").children.map(({ name, text }): BlockListEntry => {
    if (!SOURCES.has(name)) {
      throw new StorageError("InvalidXmlDocument");
    }
    if (!isBase64(text) || text === "") {
      throw new StorageError("InvalidBlockId");
    }
    return { source: name as BlockSource, blockId: text };
  });
  if (entries.length > BLOCK_LIST_LIMIT) {
    throw new StorageError("BlockListTooLong");
  }
  return entries;
}
