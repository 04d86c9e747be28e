import { type Statement, statement } from "../metadata/statement.ts";
import { type BlobRow, CURRENT, type LeaseColumns } from "../metadata/tables.ts";

/** A blob's row without its bytes. */
export type BlobProperties = Omit<BlobRow, "inline_content">;

/** What a listing reads of a blob, in the order it reads it in. */
export const listedColumns = [
  "name",
  "moment",
  "version_id",
  "deleted_ms",
  "purge_ms",
  "type",
  "length",
  "etag",
  "last_modified_ms",
  "created_ms",
  "content_headers",
  "metadata",
  "tags",
  "extras",
  "lease_id",
  "lease_duration_seconds",
  "lease_expires_ms",
  "lease_breaks_ms",
] as const;

const propertyColumns = ["container_id", ...listedColumns, "content_id"] as const;

export interface BlobKey {
  readonly containerId: number;
  readonly name: string;
  /** {@link CURRENT} or the time of a snapshot. */
  readonly moment: string;
}

export const findBlob: Statement<BlobKey, BlobProperties> = statement((database, bind) =>
  database
    .selectFrom("blobs")
    .select(propertyColumns)
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where("moment", "=", bind("moment"))
    .where("deleted_ms", "is", null),
);

/** The same, deleted or not. */
export const findKeptBlob: Statement<BlobKey, BlobProperties> = statement((database, bind) =>
  database
    .selectFrom("blobs")
    .select(propertyColumns)
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where("moment", "=", bind("moment")),
);

export const findBlobWithContent: Statement<BlobKey, BlobRow> = statement((database, bind) =>
  database
    .selectFrom("blobs")
    .selectAll()
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where("moment", "=", bind("moment"))
    .where("deleted_ms", "is", null),
);

/** Names a blob by the names of all that it lies in. */
export interface BlobPath {
  readonly accountId: number;
  readonly container: string;
  readonly name: string;
  readonly moment: string;
}

/** A blob of a living container, with the bytes of its row. */
export const findBlobInContainer: Statement<BlobPath, BlobRow> = statement((database, bind) =>
  database
    .selectFrom("containers")
    .innerJoin("blobs", "blobs.container_id", "containers.container_id")
    .selectAll("blobs")
    .where("containers.account_id", "=", bind("accountId"))
    .where("containers.name", "=", bind("container"))
    .where("containers.version", "=", "")
    .where("blobs.name", "=", bind("name"))
    .where("blobs.moment", "=", bind("moment"))
    .where("blobs.deleted_ms", "is", null),
);

export const insertBlob: Statement<BlobRow, unknown> = statement((database, bind) =>
  database.insertInto("blobs").values({
    container_id: bind("container_id"),
    name: bind("name"),
    moment: bind("moment"),
    version_id: bind("version_id"),
    deleted_ms: bind("deleted_ms"),
    purge_ms: bind("purge_ms"),
    type: bind("type"),
    length: bind("length"),
    etag: bind("etag"),
    last_modified_ms: bind("last_modified_ms"),
    created_ms: bind("created_ms"),
    content_headers: bind("content_headers"),
    metadata: bind("metadata"),
    tags: bind("tags"),
    extras: bind("extras"),
    lease_id: bind("lease_id"),
    lease_duration_seconds: bind("lease_duration_seconds"),
    lease_expires_ms: bind("lease_expires_ms"),
    lease_breaks_ms: bind("lease_breaks_ms"),
    content_id: bind("content_id"),
    inline_content: bind("inline_content"),
  }),
);

export interface BlobChange extends LeaseColumns {
  readonly container_id: number;
  readonly name: string;
  readonly etag: string;
  readonly last_modified_ms: number;
}

export const updateBlobMetadata: Statement<BlobChange & { readonly metadata: string }, unknown> = statement(
  (database, bind) =>
    database
      .updateTable("blobs")
      .set({
        metadata: bind("metadata"),
        etag: bind("etag"),
        last_modified_ms: bind("last_modified_ms"),
        lease_id: bind("lease_id"),
        lease_duration_seconds: bind("lease_duration_seconds"),
        lease_expires_ms: bind("lease_expires_ms"),
        lease_breaks_ms: bind("lease_breaks_ms"),
      })
      .where("container_id", "=", bind("container_id"))
      .where("name", "=", bind("name"))
      .where("moment", "=", CURRENT),
);

export const updateBlobHeaders: Statement<BlobChange & { readonly content_headers: string }, unknown> = statement(
  (database, bind) =>
    database
      .updateTable("blobs")
      .set({
        content_headers: bind("content_headers"),
        etag: bind("etag"),
        last_modified_ms: bind("last_modified_ms"),
        lease_id: bind("lease_id"),
        lease_duration_seconds: bind("lease_duration_seconds"),
        lease_expires_ms: bind("lease_expires_ms"),
        lease_breaks_ms: bind("lease_breaks_ms"),
      })
      .where("container_id", "=", bind("container_id"))
      .where("name", "=", bind("name"))
      .where("moment", "=", CURRENT),
);

export interface BlobContentChange extends BlobChange {
  readonly length: number;
  readonly extras: string;
  readonly content_id: number | null;
}

export const updateBlobContent: Statement<BlobContentChange, unknown> = statement((database, bind) =>
  database
    .updateTable("blobs")
    .set({
      length: bind("length"),
      extras: bind("extras"),
      content_id: bind("content_id"),
      etag: bind("etag"),
      last_modified_ms: bind("last_modified_ms"),
      lease_id: bind("lease_id"),
      lease_duration_seconds: bind("lease_duration_seconds"),
      lease_expires_ms: bind("lease_expires_ms"),
      lease_breaks_ms: bind("lease_breaks_ms"),
    })
    .where("container_id", "=", bind("container_id"))
    .where("name", "=", bind("name"))
    .where("moment", "=", CURRENT),
);

/** Tags, tiers and holds change neither the ETag nor the time of change (storage §13). */
export const updateBlobTags: Statement<BlobKey & { readonly tags: string | null }, unknown> = statement(
  (database, bind) =>
    database
      .updateTable("blobs")
      .set({ tags: bind("tags") })
      .where("container_id", "=", bind("containerId"))
      .where("name", "=", bind("name"))
      .where("moment", "=", bind("moment")),
);

export const updateBlobExtras: Statement<BlobKey & { readonly extras: string }, unknown> = statement((database, bind) =>
  database
    .updateTable("blobs")
    .set({ extras: bind("extras") })
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where("moment", "=", bind("moment")),
);

export const removeBlob: Statement<BlobKey, unknown> = statement((database, bind) =>
  database
    .deleteFrom("blobs")
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where("moment", "=", bind("moment")),
);

export interface BlobName {
  readonly containerId: number;
  readonly name: string;
}

/** The snapshots of one blob; previous versions are none. */
export const findSnapshots: Statement<BlobName, Pick<BlobRow, "moment" | "content_id" | "extras">> = statement(
  (database, bind) =>
    database
      .selectFrom("blobs")
      .select(["moment", "content_id", "extras"])
      .where("container_id", "=", bind("containerId"))
      .where("name", "=", bind("name"))
      .where("moment", "<", CURRENT)
      .where("version_id", "is", null)
      .where("deleted_ms", "is", null),
);

/** Some blobs of a container that is being purged. */
export const findSomeBlobs: Statement<{ readonly containerId: number; readonly limit: number }, BlobProperties> =
  statement((database, bind) =>
    database
      .selectFrom("blobs")
      .select(propertyColumns)
      .where("container_id", "=", bind("containerId"))
      .limit(bind("limit")),
  );
