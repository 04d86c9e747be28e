import { type BlobName } from "../blobs/blob-statements.ts";
import { type Statement, statement } from "../metadata/statement.ts";
import { CURRENT } from "../metadata/tables.ts";

export interface ExpiryChange extends BlobName {
  readonly extras: string;
  /** When the collector may remove it; null: never. */
  readonly purgeMs: number | null;
}

export const updateBlobExpiry: Statement<ExpiryChange, unknown> = statement((database, bind) =>
  database
    .updateTable("blobs")
    .set({ extras: bind("extras"), purge_ms: bind("purgeMs") })
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where("moment", "=", CURRENT),
);
