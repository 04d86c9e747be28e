import { type BlobExtras, parseExtras } from "../blobs/blob-extras.ts";
import { type BlobProperties } from "../blobs/blob-statements.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type AnswerHeaders } from "../operations/answer.ts";
import { formatHttpDate } from "../request/http-date.ts";

/**
 * Refuses a change of a blob that must stay as it is: under a legal hold, or until a time.
 *
 * @throws StorageError `BlobImmutableDueToLegalHold` or `BlobImmutableDueToPolicy`
 */
export function checkMutable(blob: Pick<BlobProperties, "extras">, nowMs: number): void {
  const { legalHold, immutableUntilMs } = parseExtras(blob);
  if (legalHold === true) {
    throw new StorageError("BlobImmutableDueToLegalHold");
  }
  if (immutableUntilMs !== undefined && nowMs < immutableUntilMs) {
    throw new StorageError("BlobImmutableDueToPolicy");
  }
}

/** What reads say about it. */
export function immutabilityHeaders({ legalHold, immutableUntilMs, immutabilityMode }: BlobExtras): AnswerHeaders {
  return {
    "~immutability-policy-until-date": immutableUntilMs === undefined ? undefined : formatHttpDate(immutableUntilMs),
    "~immutability-policy-mode": immutabilityMode,
    "~legal-hold": legalHold === undefined ? undefined : String(legalHold),
  };
}
