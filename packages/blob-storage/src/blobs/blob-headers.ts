import { describeLease } from "../leases/lease-state.ts";
import { type Changed } from "../containers/container-commands.ts";
import { type ContentKey } from "../encryption/content-key.ts";
import { keyHeaders } from "../encryption/blob-encryption.ts";
import { readStoredMetadata } from "../encryption/stored-metadata.ts";
import { type ContentHeaders, CURRENT } from "../metadata/tables.ts";
import { type AnswerHeaders } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { formatHttpDate } from "../request/http-date.ts";
import { metadataHeaders } from "../request/metadata-headers.ts";
import { immutabilityHeaders } from "../immutability/immutability.ts";
import { parseTags } from "../tags/tags.ts";
import { DEFAULT_TIER } from "../tiers/tier-names.ts";
import { type BlobExtras, parseExtras } from "./blob-extras.ts";
import { type BlobProperties } from "./blob-statements.ts";

/** `ETag`, `Last-Modified` and the version's id, as every change answers. */
export function changeHeaders({ etag, lastModifiedMs, versionId }: Changed): AnswerHeaders {
  return {
    ETag: etag,
    "Last-Modified": formatHttpDate(lastModifiedMs),
    "~version-id": versionId ?? undefined,
  };
}

/**
 * What Get Blob and Get Blob Properties say about a blob (storage §10), without its length and range.
 *
 * @param key  the one that the blob is encrypted with, judged before
 */
export function blobHeaders(blob: BlobProperties, nowMs: number, key?: ContentKey): AnswerHeaders {
  const content = parseContentHeaders(blob);
  const lease = describeLease(blob, nowMs);
  const extras = parseExtras(blob);
  return {
    ...changeHeaders({ etag: blob.etag, lastModifiedMs: blob.last_modified_ms, versionId: blob.version_id }),
    "~is-current-version": blob.version_id !== null && blob.moment === CURRENT ? "true" : undefined,
    "Content-Type": content.contentType,
    "Content-Encoding": content.contentEncoding,
    "Content-Language": content.contentLanguage,
    "Content-Disposition": content.contentDisposition,
    "Cache-Control": content.cacheControl,
    "Accept-Ranges": "bytes",
    ...metadataHeaders(readStoredMetadata(blob, key)),
    "~creation-time": formatHttpDate(blob.created_ms),
    "~blob-type": blob.type,
    "~lease-state": lease.state,
    "~lease-status": lease.status,
    "~lease-duration": lease.duration,
    "~server-encrypted": "true",
    ...keyHeaders(extras),
    "~blob-committed-block-count": extras.blockCount === undefined ? undefined : String(extras.blockCount),
    "~blob-sequence-number": extras.sequenceNumber === undefined ? undefined : String(extras.sequenceNumber),
    "~blob-sealed": blob.type === "AppendBlob" ? String(extras.sealed === true) : undefined,
    "~tag-count": blob.tags === null ? undefined : String(Object.keys(parseTags(blob.tags)).length),
    "~expiry-time": extras.expiresMs === undefined ? undefined : formatHttpDate(extras.expiresMs),
    ...tierHeaders(blob, extras),
    ...copyHeaders(extras),
    ...immutabilityHeaders(extras),
  };
}

export function parseContentHeaders(blob: Pick<BlobProperties, "content_headers">): ContentHeaders {
  return JSON.parse(blob.content_headers) as ContentHeaders;
}

/** Content that a browser would run: it is shut in, or a stranger's upload could act in the server's name. */
const ACTIVE = /^(?:text\/html|application\/xhtml|image\/svg|(?:text|application)\/(?:.*\+)?xml|text\/xsl)/iu;

/** Headers that keep a browser from running uploaded content, except from the static web site (rulings, Objects 8). */
export function safetyHeaders(contentType: string | undefined, container: string): AnswerHeaders {
  const sandboxed = container !== "$web" && contentType !== undefined && ACTIVE.test(contentType.trim());
  return {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": sandboxed ? "sandbox; default-src 'none'" : undefined,
  };
}

/** The tier is inferred until somebody sets it. */
function tierHeaders({ type }: BlobProperties, { tier, tierChangedMs }: BlobExtras): AnswerHeaders {
  if (tier === undefined) {
    return type === "BlockBlob" ? { "~access-tier": DEFAULT_TIER, "~access-tier-inferred": "true" } : {};
  }
  return {
    "~access-tier": tier,
    "~access-tier-inferred": type === "BlockBlob" ? "false" : undefined,
    "~access-tier-change-time": tierChangedMs === undefined ? undefined : formatHttpDate(tierChangedMs),
  };
}

function copyHeaders({ copy }: BlobExtras): AnswerHeaders {
  return copy === undefined
    ? {}
    : {
        "~copy-id": copy.id,
        "~copy-source": copy.source,
        "~copy-status": copy.status,
        "~copy-progress": `${copy.bytes}/${copy.bytes}`,
        "~copy-completion-time": formatHttpDate(copy.completedMs),
        "~incremental-copy": copy.incremental === true ? "true" : undefined,
        "~copy-destination-snapshot": copy.destinationSnapshot,
      };
}

const OVERRIDES = [
  ["rscc", "Cache-Control"],
  ["rscd", "Content-Disposition"],
  ["rsce", "Content-Encoding"],
  ["rscl", "Content-Language"],
  ["rsct", "Content-Type"],
] as const;

/** Of a request that asks for none. */
export const noOverrides: AnswerHeaders = {};

/** Headers that a signature replaces for whoever reads with it (storage §4.2). */
export function overriddenHeaders({ request, principal }: OperationCall): AnswerHeaders {
  if (principal.kind !== "sas") {
    return noOverrides;
  }
  const present = OVERRIDES.filter(([parameter]) => request.query.has(parameter));
  return present.length === 0
    ? noOverrides
    : Object.fromEntries(present.map(([parameter, header]) => [header, request.query.find(parameter)]));
}
