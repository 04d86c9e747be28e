import { StorageError } from "../errors/storage-error.ts";
import { formatHttpDate } from "../request/http-date.ts";
import { matchesTags, type TagFilter } from "../tags/tag-filter.ts";
import { parseTags } from "../tags/tags.ts";

/** The conditional headers of one request, parsed; plain data, because the writer thread evaluates them. */
export interface Conditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  /** Milliseconds since 1970, whole seconds. */
  readonly ifModifiedSinceMs?: number | undefined;
  readonly ifUnmodifiedSinceMs?: number | undefined;
  /** `~if-tags`: what the blob's tags have to fulfil. */
  readonly ifTags?: TagFilter | undefined;
}

/** What conditions are judged against. */
export interface ConditionTarget {
  /** With its quotes, as in the header. */
  readonly etag: string;
  readonly lastModifiedMs: number;
  /** JSON: name → value; null or absent without tags. */
  readonly tags?: string | null | undefined;
}

export const noConditions: Conditions = {};

/**
 * Judges the conditions of a read of something that exists: If-Match AND If-Unmodified-Since AND (If-None-Match OR
 * If-Modified-Since).
 *
 * @param cacheControl  what a cache that is told "not modified" is to do with its copy from now on
 * @throws StorageError `ConditionNotMet`, 412 or, for an unchanged resource, 304 with what a cache renews its copy by
 * @source storage §7; RFC 9110 §15.4.5
 */
export function checkReadConditions(
  conditions: Conditions,
  target: ConditionTarget,
  cacheControl?: () => string | undefined,
): void {
  checkTagCondition(conditions, target);
  const { ifMatch, ifNoneMatch, ifModifiedSinceMs, ifUnmodifiedSinceMs } = conditions;
  const changedTooLate = ifUnmodifiedSinceMs !== undefined && seconds(target.lastModifiedMs) > ifUnmodifiedSinceMs;
  if ((ifMatch !== undefined && !matches(ifMatch, target.etag)) || changedTooLate) {
    throw new StorageError("ConditionNotMet");
  }
  const freshness = [
    ...(ifNoneMatch === undefined ? [] : [!matches(ifNoneMatch, target.etag)]),
    ...(ifModifiedSinceMs === undefined ? [] : [seconds(target.lastModifiedMs) > ifModifiedSinceMs]),
  ];
  if (freshness.length > 0 && !freshness.some(Boolean)) {
    const headers = { ETag: target.etag, "Last-Modified": formatHttpDate(target.lastModifiedMs) };
    const control = cacheControl?.();
    throw new StorageError("ConditionNotMet", {
      status: 304,
      headers: control === undefined ? headers : { ...headers, "Cache-Control": control },
    });
  }
}

/**
 * Judges the condition over tags alone; a blob that doesn't exist has none.
 *
 * @throws StorageError `ConditionNotMet` (412)
 */
export function checkTagCondition({ ifTags }: Conditions, target: Pick<ConditionTarget, "tags"> | undefined): void {
  if (ifTags !== undefined && !matchesTags(ifTags, parseTags(target?.tags ?? null), "")) {
    throw new StorageError("ConditionNotMet");
  }
}

/**
 * Judges the conditions of a write. The ETag condition of a pair decides; something that doesn't exist fails every
 * If-Match and passes everything else.
 *
 * @param existsError  the code for `If-None-Match: *` on something that exists; without one it is ignored, as Delete
 *                     Blob does
 * @throws StorageError `ConditionNotMet` (412) or `existsError`
 * @source storage §7
 */
export function checkWriteConditions(
  conditions: Conditions,
  target: ConditionTarget | undefined,
  existsError?: "BlobAlreadyExists",
): void {
  checkTagCondition(conditions, target);
  if (target === undefined) {
    if (conditions.ifMatch !== undefined) {
      throw new StorageError("ConditionNotMet");
    }
    return;
  }
  if (conditions.ifNoneMatch === "*") {
    if (existsError !== undefined) {
      throw new StorageError(existsError);
    }
    return;
  }
  if (!writeConditionsHold(conditions, target)) {
    throw new StorageError("ConditionNotMet");
  }
}

function writeConditionsHold(conditions: Conditions, target: ConditionTarget): boolean {
  const { ifMatch, ifNoneMatch, ifModifiedSinceMs, ifUnmodifiedSinceMs } = conditions;
  if (ifMatch !== undefined) {
    return matches(ifMatch, target.etag);
  }
  if (ifNoneMatch !== undefined) {
    return !matches(ifNoneMatch, target.etag);
  }
  const modified = seconds(target.lastModifiedMs);
  return (
    (ifModifiedSinceMs === undefined || modified > ifModifiedSinceMs) &&
    (ifUnmodifiedSinceMs === undefined || modified <= ifUnmodifiedSinceMs)
  );
}

/** Clients send ETags with and without quotes; a read may name several. */
function matches(condition: string, etag: string): boolean {
  return condition.split(",").some((one) => one.trim() === "*" || unquoted(one) === unquoted(etag));
}

function unquoted(etag: string): string {
  return etag.trim().replace(/^W\//u, "").replaceAll('"', "");
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}
