import { describeLease } from "../leases/lease-state.ts";
import { CURRENT } from "../metadata/tables.ts";
import { type EncryptionScopes } from "../encryption/encryption-scope.ts";
import { readStoredMetadata } from "../encryption/stored-metadata.ts";
import { formatHttpDate } from "../request/http-date.ts";
import { headerText } from "../request/header-text.ts";
import { metadataElement } from "../xml/metadata-element.ts";
import { element, escapeXml, isXmlText, textElement } from "../xml/write-xml.ts";
import { tagsElement } from "../tags/tags-element.ts";
import { parseTags } from "../tags/tags.ts";
import { deletionElements } from "../retention/deletion-elements.ts";
import { DEFAULT_TIER } from "../tiers/tier-names.ts";
import { type BlobExtras, parseExtras } from "./blob-extras.ts";
import { parseContentHeaders } from "./blob-headers.ts";
import { type ListedBlob } from "./listing-statements.ts";

/** A blob in a listing; the order of its elements is that of storage, appendix B. */
export function blobElement(
  row: ListedBlob,
  include: ReadonlySet<string>,
  scopes: EncryptionScopes,
  nowMs: number,
): string {
  return (
    `<Blob>${nameElement(row.name)}` +
    textElement("Deleted", row.deleted_ms === null ? undefined : true) +
    textElement("Snapshot", row.moment === CURRENT || row.version_id !== null ? undefined : row.moment) +
    (include.has("versions") ? versionElements(row) : "") +
    `<Properties>${properties(row, include, nowMs)}</Properties>` +
    (include.has("metadata") ? metadataOf(row, scopes) : "") +
    (include.has("tags") && row.tags !== null ? tagsElement(parseTags(row.tags)) : "") +
    `${textElement("HasVersionsOnly", row.is_orphan === 1 ? true : undefined)}</Blob>`
  );
}

function versionElements({ moment, version_id: versionId }: ListedBlob): string {
  return versionId === null
    ? ""
    : textElement("VersionId", versionId) + textElement("IsCurrentVersion", moment === CURRENT ? true : undefined);
}

/** A name that XML cannot carry goes percent-encoded and says so. */
export function nameElement(name: string): string {
  return isXmlText(name) ? textElement("Name", name) : `<Name Encoded="true">${encodeURIComponent(name)}</Name>`;
}

/** Elements that every blob has are written in one piece: each text that is put together is garbage a moment later. */
function properties(row: ListedBlob, include: ReadonlySet<string>, nowMs: number): string {
  const content = parseContentHeaders(row);
  const lease = describeLease(row, nowMs);
  const extras = parseExtras(row);
  return (
    `<Creation-Time>${formatHttpDate(row.created_ms)}</Creation-Time>` +
    `<Last-Modified>${formatHttpDate(row.last_modified_ms)}</Last-Modified>` +
    `<Etag>${row.etag.replaceAll('"', "")}</Etag><Content-Length>${row.length}</Content-Length>` +
    textElement("Content-Type", content.contentType && headerText(content.contentType)) +
    `<Content-Encoding>${text(content.contentEncoding)}</Content-Encoding>` +
    `<Content-Language>${text(content.contentLanguage)}</Content-Language>` +
    `<Content-MD5>${text(content.contentMd5)}</Content-MD5>` +
    `<Content-Disposition>${text(content.contentDisposition)}</Content-Disposition>` +
    `<Cache-Control>${text(content.cacheControl)}</Cache-Control>` +
    textElement("x-ms-blob-sequence-number", extras.sequenceNumber) +
    `<BlobType>${row.type}</BlobType>` +
    `<LeaseStatus>${lease.status}</LeaseStatus><LeaseState>${lease.state}</LeaseState>` +
    textElement("LeaseDuration", lease.duration) +
    copyElements(extras, include.has("copy")) +
    "<ServerEncrypted>true</ServerEncrypted>" +
    textElement("CustomerProvidedKeySha256", extras.customerKeySha256) +
    textElement("EncryptionScope", extras.encryptionScope) +
    textElement("IncrementalCopy", extras.copy?.incremental) +
    textElement("DestinationSnapshot", extras.copy?.destinationSnapshot) +
    deletionElements(row, nowMs) +
    textElement("AccessTier", extras.tier ?? (row.type === "BlockBlob" ? DEFAULT_TIER : undefined)) +
    textElement("AccessTierInferred", extras.tier === undefined && row.type === "BlockBlob" ? true : undefined) +
    textElement("AccessTierChangeTime", extras.tierChangedMs && formatHttpDate(extras.tierChangedMs)) +
    textElement("TagCount", row.tags === null ? undefined : Object.keys(parseTags(row.tags)).length) +
    textElement("Expiry-Time", extras.expiresMs && formatHttpDate(extras.expiresMs)) +
    textElement("Sealed", extras.sealed) +
    immutabilityElements(extras, include)
  );
}

/** A listing has no key of the client's own: what one encrypts is left out, and so is that of a disabled scope. */
function metadataOf(row: ListedBlob, scopes: EncryptionScopes): string {
  const { customerKeySha256, encryptionScope } = parseExtras(row);
  const scope = encryptionScope === undefined ? undefined : scopes.get(encryptionScope);
  return customerKeySha256 !== undefined || (encryptionScope !== undefined && scope?.isEnabled !== true)
    ? element("Metadata", "", { Encrypted: "true" })
    : metadataElement(readStoredMetadata(row, scope?.key));
}

function text(value: string | undefined): string {
  return value === undefined ? "" : escapeXml(headerText(value));
}

function copyElements({ copy }: BlobExtras, wanted: boolean): string {
  return copy === undefined || !wanted
    ? ""
    : textElement("CopyId", copy.id) +
        textElement("CopyStatus", copy.status) +
        textElement("CopySource", copy.source) +
        textElement("CopyProgress", `${copy.bytes}/${copy.bytes}`) +
        textElement("CopyCompletionTime", formatHttpDate(copy.completedMs));
}

function immutabilityElements(extras: BlobExtras, include: ReadonlySet<string>): string {
  const { immutableUntilMs, immutabilityMode, legalHold } = extras;
  const policy =
    include.has("immutabilitypolicy") && immutableUntilMs !== undefined
      ? textElement("ImmutabilityPolicyUntilDate", formatHttpDate(immutableUntilMs)) +
        textElement("ImmutabilityPolicyMode", immutabilityMode)
      : "";
  return policy + (include.has("legalhold") ? textElement("LegalHold", legalHold) : "");
}
