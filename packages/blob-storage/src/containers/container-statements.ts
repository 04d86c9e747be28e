import { type Statement, statement } from "../metadata/statement.ts";
import { type ContainerRow, type LeaseColumns, type PublicAccess } from "../metadata/tables.ts";

export interface ContainerKey {
  readonly accountId: number;
  readonly name: string;
}

/** The living container of a name. */
export const findContainer: Statement<ContainerKey, ContainerRow> = statement((database, bind) =>
  database
    .selectFrom("containers")
    .selectAll()
    .where("account_id", "=", bind("accountId"))
    .where("name", "=", bind("name"))
    .where("version", "=", ""),
);

export interface NewContainer extends ContainerKey {
  readonly containerId: number;
  readonly etag: string;
  readonly nowMs: number;
  readonly publicAccess: PublicAccess | null;
  readonly metadata: string;
}

export const insertContainer: Statement<NewContainer, unknown> = statement((database, bind) =>
  database.insertInto("containers").values({
    container_id: bind("containerId"),
    account_id: bind("accountId"),
    name: bind("name"),
    version: "",
    etag: bind("etag"),
    last_modified_ms: bind("nowMs"),
    public_access: bind("publicAccess"),
    metadata: bind("metadata"),
    policies: "[]",
  }),
);

export interface ContainerChange extends LeaseColumns {
  readonly containerId: number;
  readonly etag: string;
  readonly nowMs: number;
}

export const updateContainerMetadata: Statement<ContainerChange & { readonly metadata: string }, unknown> = statement(
  (database, bind) =>
    database
      .updateTable("containers")
      .set({
        metadata: bind("metadata"),
        etag: bind("etag"),
        last_modified_ms: bind("nowMs"),
        lease_id: bind("lease_id"),
        lease_duration_seconds: bind("lease_duration_seconds"),
        lease_expires_ms: bind("lease_expires_ms"),
        lease_breaks_ms: bind("lease_breaks_ms"),
      })
      .where("container_id", "=", bind("containerId")),
);

/** Frees the name at once; the purge deletes what the container held (rulings, Objects 5). */
export const markContainerDeleted: Statement<
  { readonly containerId: number; readonly version: string; readonly nowMs: number },
  unknown
> = statement((database, bind) =>
  database
    .updateTable("containers")
    .set({ version: bind("version"), deleted_ms: bind("nowMs") })
    .where("container_id", "=", bind("containerId")),
);

export interface ContainerPage {
  readonly accountId: number;
  /** The first name of the page. */
  readonly from: string;
  /** The first name after the page; see after-prefix.ts. */
  readonly before: string;
  readonly limit: number;
}

export const listContainerRows: Statement<ContainerPage, ContainerRow> = statement((database, bind) =>
  database
    .selectFrom("containers")
    .selectAll()
    .where("account_id", "=", bind("accountId"))
    .where("version", "=", "")
    .where("name", ">=", bind("from"))
    .where("name", "<", bind("before"))
    .orderBy("name")
    .limit(bind("limit")),
);

/** A container whose name is free again but whose blobs are still there. */
export const findDeletedContainer: Statement<object, Pick<ContainerRow, "container_id">> = statement((database) =>
  database.selectFrom("containers").select("container_id").where("deleted_ms", "is not", null).limit(1),
);

export const removeContainer: Statement<{ readonly containerId: number }, unknown> = statement((database, bind) =>
  database.deleteFrom("containers").where("container_id", "=", bind("containerId")),
);

export interface AccessPolicyChange extends ContainerChange {
  readonly publicAccess: PublicAccess | null;
  readonly policies: string;
}

export const updateAccessPolicy: Statement<AccessPolicyChange, unknown> = statement((database, bind) =>
  database
    .updateTable("containers")
    .set({
      public_access: bind("publicAccess"),
      policies: bind("policies"),
      etag: bind("etag"),
      last_modified_ms: bind("nowMs"),
      lease_id: bind("lease_id"),
      lease_duration_seconds: bind("lease_duration_seconds"),
      lease_expires_ms: bind("lease_expires_ms"),
      lease_breaks_ms: bind("lease_breaks_ms"),
    })
    .where("container_id", "=", bind("containerId")),
);
