import { type BlobName } from "../blobs/blob-statements.ts";
import { type Statement, statement } from "../metadata/statement.ts";
import { CURRENT } from "../metadata/tables.ts";

export interface VersionName extends BlobName {
  readonly versionId: string;
}

/** Where a version is: under its own id when another has followed it, else it is the blob itself. */
export const findVersion: Statement<VersionName, { readonly moment: string }> = statement((database, bind) =>
  database
    .selectFrom("blobs")
    .select("moment")
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where((row) => row.or([row("moment", "=", bind("versionId")), row("moment", "=", CURRENT)]))
    .where("version_id", "=", bind("versionId")),
);

/** The blob becomes one of its previous versions, which have no lease. */
export const moveToVersion: Statement<VersionName, unknown> = statement((database, bind) =>
  database
    .updateTable("blobs")
    .set({
      moment: bind("versionId"),
      version_id: bind("versionId"),
      purge_ms: null,
      lease_id: null,
      lease_duration_seconds: null,
      lease_expires_ms: null,
      lease_breaks_ms: null,
    })
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where("moment", "=", CURRENT),
);

export const updateVersionId: Statement<VersionName, unknown> = statement((database, bind) =>
  database
    .updateTable("blobs")
    .set({ version_id: bind("versionId") })
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where("moment", "=", CURRENT),
);
