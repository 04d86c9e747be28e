import { readNewExtras } from "../blobs/new-blob-extras.ts";
import { checkChecksums } from "../checksums/transfer-checksums.ts";
import { readContent } from "../contents/read-content.ts";
import { receiveParts } from "../contents/receive-body.ts";
import { type CustomerKey } from "../customer-keys/customer-key.ts";
import { readStoredMetadata, storedMetadata } from "../customer-keys/stored-metadata.ts";
import { type OperationCall } from "../operations/operation.ts";
import { requireRoom } from "../quotas/require-room.ts";
import { type Services } from "../services.ts";
import { type AskedCopy, checkSource, type Copied } from "./copy-commands.ts";
import { checkSourceKey, readSource } from "./read-source.ts";

/**
 * Put Blob From URL where the source, the new blob or both are encrypted with keys of the client's own: the bytes are
 * read with the one key and stored anew with the other, as they would be by a client.
 */
export async function copyAnew(
  call: OperationCall,
  asked: AskedCopy,
  sourceKey: CustomerKey | undefined,
  services: Services,
): Promise<Copied> {
  const { request, customerKey } = call;
  const endRead = services.reads.begin();
  try {
    const source = services.metadata.readConsistently(readSource(asked.source));
    checkSource(asked, source);
    checkSourceKey(source, sourceKey);
    const { length } = source;
    requireRoom(request, "blob", length, services);
    const parts = readContent(source, 0, length, services, sourceKey);
    const body = await receiveParts(parts, length, services, { md5: true, crc64: false }, customerKey);
    try {
      const { md5 } = body.checksums;
      checkChecksums({ md5: asked.sourceMd5 }, body.checksums);
      const metadata = asked.metadata ?? storedMetadata(readStoredMetadata(source, sourceKey), customerKey);
      const changed = await services.metadata.write("putBlob", {
        ...asked,
        received: body.bytes,
        blob: {
          type: "BlockBlob",
          length,
          contentHeaders: asked.contentHeaders ?? source.content_headers,
          metadata,
          tags: asked.copyTags ? source.tags : asked.tags,
          extras: JSON.stringify(readNewExtras(call)),
        },
      });
      return { ...changed, contentMd5: md5 };
    } catch (error) {
      await body.discard();
      throw error;
    }
  } finally {
    endRead();
  }
}
