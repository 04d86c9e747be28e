import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";

/** The column type for bytes: the one type of ours that the two databases spell differently. */
export function bytesType(database: Pick<Kysely<unknown>, "getExecutor">): RawBuilder<unknown> {
  return database.getExecutor().adapter instanceof PostgresAdapter ? sql`bytea` : sql`blob`;
}
