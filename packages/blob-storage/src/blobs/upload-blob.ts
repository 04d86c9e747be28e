import { checkChecksums, checksumHeaders, readGivenChecksums } from "../checksums/transfer-checksums.ts";
import { encryptionHeaders } from "../encryption/blob-encryption.ts";
import { storedMetadata } from "../encryption/stored-metadata.ts";
import { receiveBody } from "../contents/receive-body.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { requireRoom } from "../quotas/require-room.ts";
import { uploadLimitBytes } from "../request/upload-limits.ts";
import { readMd5, readUploadHeaders } from "../request/content-headers.ts";
import { readMetadata } from "../request/metadata-headers.ts";
import { readTagsHeader } from "../tags/tags.ts";
import { readNewExtras } from "./new-blob-extras.ts";
import { readUploadBody, structuredHeaders } from "../structured-bodies/upload-body.ts";
import { type Services } from "../services.ts";
import { requireContainer } from "./blob-address.ts";
import { blobWriteOf } from "./blob-address.ts";
import { changeHeaders } from "./blob-headers.ts";

/**
 * Put Blob of a block blob: the body becomes the blob in one step (identity-and-storage §4.5). The bytes are synced
 * before the metadata, and both before the answer.
 */
export async function uploadBlob(call: OperationCall, services: Services): Promise<Answer> {
  const { request } = call;
  const { headers } = request;
  const upload = readUploadBody(request, uploadLimitBytes(request.version));
  const length = upload.lengthBytes;
  const content = readUploadHeaders(headers);
  const given = readGivenChecksums(headers, readMd5(content.contentMd5));
  const metadata = readMetadata(headers);
  // Asked again when the blob is put in place; here it spares a pointless upload.
  requireContainer(request, services);
  requireRoom(request, "blob", length, services);
  const wanted = { md5: true, crc64: given.crc64 !== undefined };
  const body = await receiveBody(upload, services, wanted, call.contentKey);
  try {
    checkChecksums(given, body.checksums);
    const changed = await services.metadata.write("putBlob", {
      ...blobWriteOf(call),
      received: body.bytes,
      blob: {
        type: "BlockBlob",
        length,
        contentHeaders: JSON.stringify({ ...content, contentMd5: body.checksums.md5 }),
        metadata: storedMetadata(metadata, call.contentKey),
        tags: readTagsHeader(headers),
        extras: JSON.stringify(readNewExtras(call, "BlockBlob")),
      },
    });
    const form = { ...encryptionHeaders(call.contentKey), ...structuredHeaders(upload) };
    return { status: 201, headers: { ...changeHeaders(changed), ...checksumHeaders(body.checksums), ...form } };
  } catch (error) {
    await body.discard();
    throw error;
  }
}
