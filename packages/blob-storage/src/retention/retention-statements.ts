import { type BlobName } from "../blobs/blob-statements.ts";
import { type Statement, statement } from "../metadata/statement.ts";
import { type BlobRow, CURRENT } from "../metadata/tables.ts";

export interface SoftDeletion extends BlobName {
  readonly moment: string;
  readonly nowMs: number;
  readonly purgeMs: number;
}

/** Hides a blob or a snapshot; its lease ends. */
export const markBlobDeleted: Statement<SoftDeletion, unknown> = statement((database, bind) =>
  database
    .updateTable("blobs")
    .set({ deleted_ms: bind("nowMs"), purge_ms: bind("purgeMs"), lease_id: null })
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where("moment", "=", bind("moment")),
);

/** A deleted blob makes room for a new one of its name: it becomes a deleted snapshot. */
export const moveDeletedBlob: Statement<BlobName & { readonly moment: string }, unknown> = statement((database, bind) =>
  database
    .updateTable("blobs")
    .set({ moment: bind("moment"), version_id: null })
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where("moment", "=", CURRENT)
    .where("deleted_ms", "is not", null),
);

/** Brings a name's deleted blob and snapshots back. @returns what came back */
export const restoreBlobs: Statement<BlobName, { readonly moment: string }> = statement((database, bind) =>
  database
    .updateTable("blobs")
    .set({ deleted_ms: null, purge_ms: null })
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where("deleted_ms", "is not", null)
    .returning("moment"),
);

export const findBlobsToPurge: Statement<
  { readonly nowMs: number; readonly limit: number },
  Pick<BlobRow, "container_id" | "name" | "moment" | "content_id">
> = statement((database, bind) =>
  database
    .selectFrom("blobs")
    .select(["container_id", "name", "moment", "content_id"])
    .where("purge_ms", "<=", bind("nowMs"))
    .limit(bind("limit")),
);
