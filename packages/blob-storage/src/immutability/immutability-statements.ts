import { sql, type Transaction } from "kysely";
import { type BlobRow } from "../metadata/tables.ts";
import { type Statement, statement } from "../metadata/statement.ts";

/** The blobs of the index: an index over some rows serves the queries that have its own condition in them. */
const IMMUTABLE = sql<boolean>`(extras LIKE '%"legalHold":true%' OR extras LIKE '%"immutableUntilMs":%')`;

/** An index over the few blobs that are or were immutable, so that deleting a container doesn't read all others. */
export async function addImmutableBlobs({ schema }: Transaction<unknown>): Promise<void> {
  await schema.createIndex("immutable_blobs").on("blobs").column("container_id").where(IMMUTABLE).execute();
}

/** A blob, snapshot or version of a container that has to stay as it is. */
export const findImmutableBlob: Statement<
  { readonly containerId: number; readonly nowMs: number },
  Pick<BlobRow, "extras">
> = statement((database, bind) =>
  database
    .selectFrom("blobs")
    .select("extras")
    .where("container_id", "=", bind("containerId"))
    .where(IMMUTABLE)
    .where(
      sql<boolean>`(json_extract(extras, '$.legalHold') = 1 OR json_extract(extras, '$.immutableUntilMs') > ${bind("nowMs")})`,
    )
    .limit(1),
);
