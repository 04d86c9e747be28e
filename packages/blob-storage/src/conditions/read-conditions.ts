import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { parseConditionDate } from "../request/http-date.ts";
import { remembered } from "../request/remembered.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type ServiceVersion, since } from "../request/service-version.ts";
import { parseTagFilter, type TagFilter, TagFilterSyntaxError } from "../tags/tag-filter.ts";
import { type Conditions } from "./conditions.ts";

/** Which conditions an operation takes (storage §7 and appendix A). */
export type ConditionRule =
  | "none"
  | "tags"
  | "read"
  | "write"
  /** The same two under names of their own, `~blob-if-…`. */
  | "blob-read"
  | "blob-write"
  | "dates"
  | "modified-since"
  | "unmodified-since";

/**
 * Reads an operation's conditional headers.
 *
 * @throws StorageError `MultipleConditionHeadersNotSupported`, `ConditionHeadersNotSupported`, `InvalidHeaderValue`
 *         or, for `If-None-Match: *` on a read, `UnsatisfiableCondition`
 */
export function readConditions(headers: RequestHeaders, rule: ConditionRule, version: ServiceVersion): Conditions {
  const hasOwnNames = rule === "blob-read" || rule === "blob-write";
  const conditions = hasOwnNames ? readNamed(headers, `${headers.family}blob-`) : readNamed(headers, "");
  rules[rule](conditions, version);
  const ifTags = takesTags.has(rule) ? readTagCondition(headers) : undefined;
  const others = rule === "none" || rule === "tags" ? {} : conditions;
  return ifTags === undefined ? others : { ...others, ifTags };
}

/** `~source-if-…`: the conditions of a source, all combined. */
export function readSourceConditions(headers: RequestHeaders): Conditions {
  return { ...readNamed(headers, `${headers.family}source-`), ifTags: readTagCondition(headers, "source-if-tags") };
}

const takesTags: ReadonlySet<ConditionRule> = new Set(["tags", "read", "write", "blob-read", "blob-write"]);

function readNamed(headers: RequestHeaders, prefix: string): Conditions {
  const names = namesWith(prefix);
  return {
    ifMatch: headers.find(names.ifMatch),
    ifNoneMatch: headers.find(names.ifNoneMatch),
    ifModifiedSinceMs: readDate(headers, names.ifModifiedSince),
    ifUnmodifiedSinceMs: readDate(headers, names.ifUnmodifiedSince),
  };
}

/** By prefix: names that a request puts together cost more to look up than those that are there. */
const namesWith = remembered(8, (prefix) => ({
  ifMatch: `${prefix}if-match`,
  ifNoneMatch: `${prefix}if-none-match`,
  ifModifiedSince: `${prefix}if-modified-since`,
  ifUnmodifiedSince: `${prefix}if-unmodified-since`,
}));

/** @throws StorageError `InvalidHeaderValue` for an expression that is none */
function readTagCondition(
  headers: RequestHeaders,
  name: "if-tags" | "source-if-tags" = "if-tags",
): TagFilter | undefined {
  const text = headers.findOwn(name);
  if (text === undefined || text === "") {
    return undefined;
  }
  try {
    return parseTagFilter(text, "condition");
  } catch (error) {
    throw error instanceof TagFilterSyntaxError ? invalidHeader(headers.family + name, text) : error;
  }
}

function checkRead({ ifNoneMatch }: Conditions, version: ServiceVersion): void {
  if (ifNoneMatch === "*" && version >= since.conditionOnAnyEtagOfReadIsError) {
    throw new StorageError("UnsatisfiableCondition");
  }
}

function checkWrite(conditions: Conditions): void {
  refuseSeveralEtags(conditions);
  const match = conditions.ifMatch !== undefined;
  const noneMatch = conditions.ifNoneMatch !== undefined;
  const modified = conditions.ifModifiedSinceMs !== undefined;
  const unmodified = conditions.ifUnmodifiedSinceMs !== undefined;
  const clash = (match && noneMatch) || (modified && unmodified) || (match && modified) || (noneMatch && unmodified);
  if (clash) {
    throw new StorageError("MultipleConditionHeadersNotSupported");
  }
}

const rules: Readonly<Record<ConditionRule, (conditions: Conditions, version: ServiceVersion) => void>> = {
  // Where no condition is known the service ignores them.
  none: () => undefined,
  tags: () => undefined,
  read: checkRead,
  write: checkWrite,
  "blob-read": checkRead,
  "blob-write": checkWrite,
  dates: refuseEtags,
  "modified-since": (conditions) => {
    refuseEtags(conditions);
    if (conditions.ifUnmodifiedSinceMs !== undefined) {
      throw new StorageError("ConditionHeadersNotSupported");
    }
  },
  "unmodified-since": (conditions) => {
    refuseEtags(conditions);
    if (conditions.ifModifiedSinceMs !== undefined) {
      throw new StorageError("ConditionHeadersNotSupported");
    }
  },
};

function refuseEtags(conditions: Conditions): void {
  if (conditions.ifMatch !== undefined || conditions.ifNoneMatch !== undefined) {
    throw new StorageError("ConditionHeadersNotSupported");
  }
}

function refuseSeveralEtags({ ifMatch, ifNoneMatch }: Conditions): void {
  if ([ifMatch, ifNoneMatch].some((etag) => etag?.includes(",") ?? false)) {
    throw new StorageError("MultipleConditionHeadersNotSupported");
  }
}

/** @throws StorageError `InvalidHeaderValue` for what is no date */
export function readDate(headers: RequestHeaders, name: string): number | undefined {
  const value = headers.find(name);
  if (value === undefined) {
    return undefined;
  }
  const ms = parseConditionDate(value);
  if (ms === undefined) {
    throw invalidHeader(name, value);
  }
  return ms;
}
