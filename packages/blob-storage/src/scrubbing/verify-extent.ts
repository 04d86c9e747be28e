import { findExtent } from "../contents/content-statements.ts";
import { ExtentCorruptionError } from "../errors/corruption-error.ts";
import { codeOf } from "../extents/file-system.ts";
import { type ExtentStore } from "../extents/extent-store.ts";
import { type Metadata } from "../metadata/metadata.ts";
import { first } from "../metadata/steps.ts";
import { type ExtentRow } from "../metadata/tables.ts";

export type VerifiedExtent =
  | { readonly kind: "sound" }
  /** The collector took it while it was read. */
  | { readonly kind: "gone" }
  | { readonly kind: "damaged"; readonly why: string };

export interface VerifyOptions {
  readonly metadata: Metadata;
  readonly extents: ExtentStore;
  /** Told about every part that was read; the reading goes on when it returns. */
  readonly onBytes: (bytes: number) => Promise<void>;
}

/**
 * Reads an extent whole, which compares every chunk with its checksum.
 *
 * @throws what is neither the extent's nor the disk's fault, such as too many open files
 */
export async function verifyExtent(
  { extent_id: extentId, size }: Pick<ExtentRow, "extent_id" | "size">,
  { metadata, extents, onBytes }: VerifyOptions,
): Promise<VerifiedExtent> {
  try {
    for await (const part of extents.read(extentId, 0, size)) {
      await onBytes(part.length);
    }
    return { kind: "sound" };
  } catch (error) {
    const why = whyDamaged(error);
    if (why === undefined) {
      throw error;
    }
    // A record goes before its file, so a file that is missing while its record is there is damage.
    return metadata.read(first(findExtent, { extentId })) === undefined ? { kind: "gone" } : { kind: "damaged", why };
  }
}

function whyDamaged(error: unknown): string | undefined {
  if (error instanceof ExtentCorruptionError) {
    return error.detail;
  }
  return codeOf(error) === "EIO" ? "the disk cannot read it" : undefined;
}
