import { randomUUID } from "node:crypto";
import { blobWriteOf } from "../blobs/blob-address.ts";
import { type BlobExtras } from "../blobs/blob-extras.ts";
import { type Changed } from "../containers/container-commands.ts";
import { checkChecksums, readSourceChecksums } from "../checksums/transfer-checksums.ts";
import { type ReceivedBody, receiveParts } from "../contents/receive-body.ts";
import { storedMetadata } from "../encryption/stored-metadata.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type ContentHeaders } from "../metadata/tables.ts";
import { type OperationCall } from "../operations/operation.ts";
import { type Addition, requireRoom } from "../quotas/require-room.ts";
import { uploadLimitBytes } from "../request/upload-limits.ts";
import { type Services } from "../services.ts";
import { readNewExtras } from "../blobs/new-blob-extras.ts";
import { type ForeignSource, openForeignSource } from "./foreign-source.ts";

/** What a copy says about the blob it makes, where that isn't the source's. */
export interface ForeignCopy {
  /** As the row holds it; absent: the source's. */
  readonly metadata: string | undefined;
  /** JSON; absent: the source's. */
  readonly contentHeaders: string | undefined;
  readonly tags: string | null;
  /** Whether the copy is noted with the blob. */
  readonly isNoted: boolean;
}

export interface ForeignCopied extends Changed {
  readonly copyId: string;
  readonly contentMd5: string | undefined;
}

/** Copies a blob from another server: its bytes come here before the request is answered (decisions/0109). */
export async function copyForeign(
  call: OperationCall,
  url: URL,
  copy: ForeignCopy,
  services: Services,
): Promise<ForeignCopied> {
  const { request } = call;
  const given = readSourceChecksums(request.headers);
  const source = await openForeignSource(call, url, undefined, uploadLimitBytes(request.version), services);
  const copyId = randomUUID();
  const body = await receiveForeign(call, source, "blob", services);
  try {
    const type = source.headers["x-ms-blob-type"];
    if (type !== undefined && type !== "BlockBlob") {
      throw new StorageError("InvalidSourceBlobType");
    }
    checkChecksums(given, body.checksums);
    const extras: BlobExtras = {
      ...readNewExtras(call, "BlockBlob"),
      ...(copy.isNoted
        ? {
            copy: {
              id: copyId,
              source: source.url,
              status: "success",
              bytes: source.lengthBytes,
              completedMs: services.clock.now(),
            },
          }
        : {}),
    };
    const changed = await services.metadata.write("storeCopy", {
      ...blobWriteOf(call),
      isNoted: copy.isNoted,
      received: body.bytes,
      blob: {
        type: "BlockBlob",
        length: source.lengthBytes,
        contentHeaders: copy.contentHeaders ?? JSON.stringify(contentHeadersOf(source, body.checksums.md5)),
        metadata: copy.metadata ?? storedMetadata(metadataOf(source), call.contentKey),
        tags: copy.tags,
        extras: JSON.stringify(extras),
      },
    });
    return { ...changed, copyId, contentMd5: body.checksums.md5 };
  } catch (error) {
    await body.discard();
    throw error;
  }
}

/** Takes a foreign source's bytes in, and ends its connection. */
export async function receiveForeign(
  call: OperationCall,
  source: ForeignSource,
  addition: Addition,
  services: Services,
): Promise<ReceivedBody> {
  try {
    requireRoom(call.request, addition, source.lengthBytes, services);
    const wanted = { md5: true, crc64: true };
    return await receiveParts(source.body, source.lengthBytes, services, wanted, call.contentKey);
  } catch (error) {
    // It broke off, or sent more or less than it said.
    throw error instanceof StorageError && error.code !== "InvalidInput"
      ? error
      : new StorageError("CannotVerifyCopySource", { status: 404, cause: error });
  } finally {
    source.close();
  }
}

function contentHeadersOf({ headers }: ForeignSource, md5: string | undefined): ContentHeaders {
  return {
    contentType: headers["content-type"] ?? "application/octet-stream",
    contentEncoding: headers["content-encoding"],
    contentLanguage: headers["content-language"],
    contentDisposition: headers["content-disposition"],
    cacheControl: headers["cache-control"],
    contentMd5: md5,
  };
}

const METADATA = "x-ms-meta-";

function metadataOf({ headers }: ForeignSource): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).filter(([name]) => name.startsWith(METADATA));
  return Object.fromEntries(entries.map(([name, value]) => [name.slice(METADATA.length), String(value)]));
}
