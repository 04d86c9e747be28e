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
  /** See {@link ContainerRow}. */
  readonly defaultScope: string | null;
  readonly denyOverride: 0 | 1;
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
    default_encryption_scope: bind("defaultScope"),
    deny_encryption_scope_override: bind("denyOverride"),
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

/** Frees the name at once; the purge deletes what the container held (rulings, Objects 5). Its lease ends. */
export const markContainerDeleted: Statement<
  { readonly containerId: number; readonly version: string; readonly nowMs: number; readonly purgeMs: number },
  unknown
> = statement((database, bind) =>
  database
    .updateTable("containers")
    .set({ version: bind("version"), deleted_ms: bind("nowMs"), purge_ms: bind("purgeMs"), lease_id: null })
    .where("container_id", "=", bind("containerId")),
);

export interface ContainerPage {
  readonly accountId: number;
  /** Where the page begins: this name, from this version on. */
  readonly from: string;
  readonly fromVersion: string;
  /** The first name after the page; see after-prefix.ts. */
  readonly before: string;
  /** 1: with those that were deleted and are kept; else 0. */
  readonly withDeleted: 0 | 1;
  readonly nowMs: number;
  readonly limit: number;
}

export const listContainerRows: Statement<ContainerPage, ContainerRow> = statement((database, bind) =>
  database
    .selectFrom("containers")
    .selectAll()
    .where("account_id", "=", bind("accountId"))
    .where("name", ">=", bind("from"))
    .where("name", "<", bind("before"))
    .where((row) => row.or([row("name", ">", bind("from")), row("version", ">=", bind("fromVersion"))]))
    .where((row) =>
      row.or([
        row("version", "=", ""),
        row.and([row(row.val(bind("withDeleted")), "=", 1), row("purge_ms", ">", bind("nowMs"))]),
      ]),
    )
    .orderBy("name")
    .orderBy("version")
    .limit(bind("limit")),
);

/** A container whose name is free again, whose time to come back is over, and whose blobs are still there. */
export const findDeletedContainer: Statement<
  { readonly nowMs: number },
  Pick<ContainerRow, "container_id">
> = statement((database, bind) =>
  database
    .selectFrom("containers")
    .select("container_id")
    .where("deleted_ms", "is not", null)
    .where((row) => row.or([row("purge_ms", "is", null), row("purge_ms", "<=", bind("nowMs"))]))
    .limit(1),
);

/** A deleted container that may still come back. */
export const findKeptContainer: Statement<
  ContainerKey & { readonly version: string; readonly nowMs: number },
  Pick<ContainerRow, "container_id">
> = statement((database, bind) =>
  database
    .selectFrom("containers")
    .select("container_id")
    .where("account_id", "=", bind("accountId"))
    .where("name", "=", bind("name"))
    .where("version", "=", bind("version"))
    .where("purge_ms", ">", bind("nowMs")),
);

/** Makes a container the living one of a name, which must be free. */
export const placeContainer: Statement<
  { readonly containerId: number; readonly name: string; readonly etag: string; readonly nowMs: number },
  unknown
> = statement((database, bind) =>
  database
    .updateTable("containers")
    .set({
      name: bind("name"),
      version: "",
      deleted_ms: null,
      purge_ms: null,
      etag: bind("etag"),
      last_modified_ms: bind("nowMs"),
    })
    .where("container_id", "=", bind("containerId")),
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
