/**
 * The metadata of the object store. Only types and SQL that SQLite and PostgreSQL share, but for the triggers that count
 * what accounts with a quota keep (quotas/add-quotas.ts); JSON is kept as text.
 *
 * A blob's bytes are either in its row (`inline_content`, up to 16 KiB and a checksum; see row-bytes.ts) or a *content*: a list of pieces of extents.
 * Snapshots, copies and versions share a content; contents share extents; both count their uses. What nothing uses
 * any more is noted as garbage in the same transaction; the collector removes it when no read needs it any longer.
 */
export interface Tables {
  readonly accounts: AccountRow;
  readonly account_quotas: AccountQuotaRow;
  readonly containers: ContainerRow;
  readonly blobs: BlobRow;
  readonly contents: ContentRow;
  readonly pieces: PieceRow;
  readonly extents: ExtentRow;
  readonly garbage_contents: GarbageContentRow;
  readonly garbage_extents: GarbageExtentRow;
  readonly uncommitted: UncommittedRow;
  readonly staged_blocks: StagedBlockRow;
  readonly role_assignments: RoleAssignmentRow;
  readonly encryption_scopes: EncryptionScopeRow;
}

export interface AccountRow {
  readonly account_id: number;
  readonly name: string;
  /** The keys, sealed (packages/installation, SecretBox). */
  readonly key_1: Uint8Array;
  readonly key_2: Uint8Array;
  readonly created_ms: number;
  /** JSON: service properties. */
  readonly properties: string;
  /** JSON: AccountSettings. */
  readonly settings: string;
}

/** Of an account that has a quota; the others have no row. */
export interface AccountQuotaRow {
  readonly account_id: number;
  readonly quota_bytes: number;
  /** Kept by triggers (quotas/add-quotas.ts). */
  readonly used_bytes: number;
}

/** A key of an account that blobs are encrypted with by its name (decisions/0194). */
export interface EncryptionScopeRow {
  readonly account_id: number;
  readonly name: string;
  /** Sealed. */
  readonly key: Uint8Array;
  readonly created_ms: number;
  /** When it was disabled; null while it may be used. */
  readonly disabled_ms: number | null;
}

/** The state of a lease, in containers and blobs alike (storage §12). All null when there never was one. */
export interface LeaseColumns {
  readonly lease_id: string | null;
  /** Seconds; -1 for a lease without end. */
  readonly lease_duration_seconds: number | null;
  /** When a fixed lease runs out. */
  readonly lease_expires_ms: number | null;
  /** When a break takes effect; set as soon as the lease was broken. */
  readonly lease_breaks_ms: number | null;
}

export interface ContainerRow extends LeaseColumns {
  readonly container_id: number;
  readonly account_id: number;
  readonly name: string;
  /** Empty for the living container of this name, else the version of a deleted one. */
  readonly version: string;
  readonly deleted_ms: number | null;
  /** When a deleted container is removed for good; null: at once. */
  readonly purge_ms: number | null;
  readonly etag: string;
  readonly last_modified_ms: number;
  readonly public_access: PublicAccess | null;
  /** JSON: name → value, names in the case they were sent in. */
  readonly metadata: string;
  /** JSON: stored access policies. */
  readonly policies: string;
  /** What blobs are encrypted with for which nothing else is named; null: no scope. */
  readonly default_encryption_scope: string | null;
  /** 1: nothing else may be named. */
  readonly deny_encryption_scope_override: 0 | 1;
}

export type PublicAccess = "container" | "blob";
export type BlobType = "BlockBlob" | "AppendBlob" | "PageBlob";

/** In `moment`: the blob itself, which sorts after its snapshots and versions. */
export const CURRENT = "~";

export interface BlobRow extends LeaseColumns {
  readonly container_id: number;
  readonly name: string;
  /** {@link CURRENT}, or the time of a snapshot or of a previous version. */
  readonly moment: string;
  /** With versioning; null for snapshots, and the moment itself for previous versions. */
  readonly version_id: string | null;
  readonly deleted_ms: number | null;
  /** When a soft-deleted blob is removed for good. */
  readonly purge_ms: number | null;
  readonly type: BlobType;
  readonly length: number;
  readonly etag: string;
  readonly last_modified_ms: number;
  readonly created_ms: number;
  /** JSON, {@link ContentHeaders}. */
  readonly content_headers: string;
  /** JSON: name → value; encrypted if the content is (encryption/stored-metadata.ts). */
  readonly metadata: string;
  /** JSON: name → value, or null without tags. */
  readonly tags: string | null;
  /** JSON: what few blobs have (BlobExtras). */
  readonly extras: string;
  readonly content_id: number | null;
  readonly inline_content: Uint8Array | null;
}

/** The headers a blob is served with, stored with it; absent ones are left out. */
export interface ContentHeaders {
  readonly contentType?: string | undefined;
  readonly contentEncoding?: string | undefined;
  readonly contentLanguage?: string | undefined;
  readonly contentMd5?: string | undefined;
  readonly contentDisposition?: string | undefined;
  readonly cacheControl?: string | undefined;
}

export interface ContentRow {
  readonly content_id: number;
  readonly uses: number;
}

export interface PieceRow {
  readonly content_id: number;
  /** Where in the content it begins, in bytes. */
  readonly start: number;
  readonly length: number;
  readonly extent_id: string | null;
  /** Where the piece begins in the bytes that were received at once, which an extent or, once, a row held whole. */
  readonly extent_offset: number;
  readonly inline_content: Uint8Array | null;
  /** Of bytes that are encrypted with a key; it is that of the whole that `extent_offset` counts in. */
  readonly nonce: Uint8Array | null;
  /** The block it was committed as, base64 as the client wrote it. */
  readonly block_id: string | null;
}

export interface ExtentRow {
  readonly extent_id: string;
  readonly size: number;
  readonly uses: number;
  /** When a read found its checksum wrong. */
  readonly damaged_ms: number | null;
  /** When the scrubber read it last; 0 before it did. */
  readonly verified_ms: number;
}

/** A content that no row refers to; its pieces stay until the reads that began before have ended. */
export interface GarbageContentRow {
  readonly content_id: number;
}

export interface GarbageExtentRow {
  readonly extent_id: string;
}

/** A name that has staged blocks, whether or not there is a blob of that name. */
export interface UncommittedRow {
  readonly container_id: number;
  readonly name: string;
  /** How many. */
  readonly blocks: number;
  /** Bytes of a block id, decoded: all of one blob have the same. */
  readonly id_length: number;
  /** Base64, of the client's own key that all of them are encrypted with. */
  readonly customer_key_sha256: string | null;
  /** The name of the scope that all of them are encrypted with. */
  readonly encryption_scope: string | null;
  /** When the last one was staged: after a week they are forgotten. */
  readonly staged_ms: number;
}

/** Lets a principal of the identity provider in (rulings, Objects 4). */
export interface RoleAssignmentRow {
  readonly account_id: number;
  /** The object id of a user or an application's service principal: `oid` of its tokens. */
  readonly principal: string;
  /** The container it is for, which need not exist; empty for the whole account. */
  readonly container: string;
  readonly role: Role;
  readonly assigned_ms: number;
}

export type Role = "Reader" | "Contributor" | "Owner";

export interface StagedBlockRow {
  readonly container_id: number;
  readonly name: string;
  readonly block_id: string;
  readonly length: number;
  readonly extent_id: string | null;
  readonly inline_content: Uint8Array | null;
  /** See {@link PieceRow}. */
  readonly nonce: Uint8Array | null;
}
