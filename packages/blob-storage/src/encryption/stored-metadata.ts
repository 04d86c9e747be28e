import { must } from "@trefoil/base";
import { parseExtras } from "../blobs/blob-extras.ts";
import { type BlobRow } from "../metadata/tables.ts";
import { type Metadata } from "../request/metadata-headers.ts";
import { isEncrypted } from "./blob-encryption.ts";
import { type ContentKey } from "./content-key.ts";

const NONCE_BYTES = 16;

/** A blob's metadata as its row holds it: JSON, or with a key base64 of a nonce and the encrypted JSON. */
export function storedMetadata(metadata: Metadata, key: ContentKey | undefined): string {
  const json = JSON.stringify(metadata);
  if (key === undefined) {
    return json;
  }
  const { nonce, encrypt } = key.beginEncryption();
  return Buffer.concat([nonce, encrypt(Buffer.from(json))]).toString("base64");
}

/** @param key  the one that the blob is encrypted with, judged before */
export function readStoredMetadata(blob: Pick<BlobRow, "metadata" | "extras">, key: ContentKey | undefined): Metadata {
  return JSON.parse(
    isEncrypted(parseExtras(blob)) ? decrypt(blob.metadata, must(key, "the key was judged")) : blob.metadata,
  ) as Metadata;
}

function decrypt(text: string, key: ContentKey): string {
  const stored = Buffer.from(text, "base64");
  return key.cipherStream(stored.subarray(0, NONCE_BYTES), 0)(stored.subarray(NONCE_BYTES)).toString();
}
