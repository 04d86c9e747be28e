import { formatHttpDate } from "../request/http-date.ts";
import { textElement } from "../xml/write-xml.ts";

const DAY_MS = 24 * 3_600_000;

/** When a listed blob or container was deleted, and how long it may still come back (storage, appendix B). */
export function deletionElements(
  { deleted_ms, purge_ms }: { readonly deleted_ms: number | null; readonly purge_ms: number | null },
  nowMs: number,
): string {
  return deleted_ms === null
    ? ""
    : textElement("DeletedTime", formatHttpDate(deleted_ms)) +
        textElement("RemainingRetentionDays", Math.max(0, Math.ceil(((purge_ms ?? nowMs) - nowMs) / DAY_MS)));
}
