import { checkChecksums } from "../checksums/transfer-checksums.ts";
import { readContent } from "../contents/read-content.ts";
import { receiveParts } from "../contents/receive-body.ts";
import { type ContentKey } from "../encryption/content-key.ts";
import { readStoredMetadata, storedMetadata } from "../encryption/stored-metadata.ts";
import { StorageError } from "../errors/storage-error.ts";
import { cannotVerify } from "./copy-source.ts";
import { type OperationCall } from "../operations/operation.ts";
import { requireRoom } from "../quotas/require-room.ts";
import { type Services } from "../services.ts";
import { checkSource, type Copied, type CopyBlobInput, newBlob } from "./copy-commands.ts";
import { keyOfSource, readSource } from "./read-source.ts";

/**
 * A copy where the source and the new blob are encrypted differently: the bytes are read with the one key and stored
 * anew with the other, as they would be by a client.
 */
export async function copyAnew(
  call: OperationCall,
  asked: CopyBlobInput,
  sourceKey: ContentKey | undefined,
  services: Services,
): Promise<Copied> {
  const { request, contentKey } = call;
  const endRead = services.reads.begin();
  try {
    const source = services.metadata.readConsistently(readSource(asked.source));
    checkSource(asked, source);
    const key = keyOfSource(source, asked.source, sourceKey, services.accounts);
    const kind = newBlob(asked, source, request.nowMs);
    if (kind.type === "PageBlob") {
      // Pages that were never written would become zeros that take room.
      throw cannotVerify(new StorageError("BlobCustomerSpecifiedEncryptionMismatch"));
    }
    const { length } = source;
    requireRoom(request, "blob", length, services);
    const parts = readContent(source, 0, length, services, key);
    const body = await receiveParts(parts, length, services, { md5: true, crc64: false }, contentKey);
    try {
      const { md5 } = body.checksums;
      checkChecksums({ md5: asked.sourceMd5 }, body.checksums);
      const metadata = asked.metadata ?? storedMetadata(readStoredMetadata(source, key), contentKey);
      const changed = await services.metadata.write("storeCopy", {
        ...asked,
        isNoted: asked.copyId !== undefined,
        received: body.bytes,
        blob: { ...kind, metadata },
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
