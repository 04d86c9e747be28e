import { type Statement, statement } from "../metadata/statement.ts";
import { CURRENT, type LeaseColumns } from "../metadata/tables.ts";

export const updateContainerLease: Statement<LeaseColumns & { readonly containerId: number }, unknown> = statement(
  (database, bind) =>
    database
      .updateTable("containers")
      .set({
        lease_id: bind("lease_id"),
        lease_duration_seconds: bind("lease_duration_seconds"),
        lease_expires_ms: bind("lease_expires_ms"),
        lease_breaks_ms: bind("lease_breaks_ms"),
      })
      .where("container_id", "=", bind("containerId")),
);

export interface BlobLease extends LeaseColumns {
  readonly containerId: number;
  readonly name: string;
}

export const updateBlobLease: Statement<BlobLease, unknown> = statement((database, bind) =>
  database
    .updateTable("blobs")
    .set({
      lease_id: bind("lease_id"),
      lease_duration_seconds: bind("lease_duration_seconds"),
      lease_expires_ms: bind("lease_expires_ms"),
      lease_breaks_ms: bind("lease_breaks_ms"),
    })
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where("moment", "=", CURRENT),
);
