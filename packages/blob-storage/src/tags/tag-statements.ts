import { type Statement, statement } from "../metadata/statement.ts";
import { CURRENT } from "../metadata/tables.ts";

/** Where a search goes on, and how far it may read. */
export interface TaggedPage {
  readonly accountId: number;
  readonly fromContainer: string;
  readonly fromName: string;
  /** The container that it ends before; see after-prefix.ts. */
  readonly beforeContainer: string;
  readonly limit: number;
}

export interface TaggedBlob {
  readonly container: string;
  readonly name: string;
  /** JSON: name → value. */
  readonly tags: string | null;
}

/** Blobs that have tags, by container and name. Blobs without any are not read: an index leaves them out. */
export const listTaggedBlobs: Statement<TaggedPage, TaggedBlob> = statement((database, bind) =>
  database
    .selectFrom("containers")
    .innerJoin("blobs", "blobs.container_id", "containers.container_id")
    .select(["containers.name as container", "blobs.name", "blobs.tags"])
    .where("containers.account_id", "=", bind("accountId"))
    .where("containers.version", "=", "")
    .where("containers.name", ">=", bind("fromContainer"))
    .where("containers.name", "<", bind("beforeContainer"))
    .where("blobs.tags", "is not", null)
    .where("blobs.moment", "=", CURRENT)
    .where("blobs.deleted_ms", "is", null)
    .where((row) =>
      row.or([row("containers.name", ">", bind("fromContainer")), row("blobs.name", ">=", bind("fromName"))]),
    )
    .orderBy("containers.name")
    .orderBy("blobs.name")
    .limit(bind("limit")),
);
