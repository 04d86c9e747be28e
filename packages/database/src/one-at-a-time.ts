import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Names our lock among all that a PostgreSQL server may be asked for: "TREF". */
const LOCK = 0x54_52_45_46;

/**
 * Runs what only one of the processes that share a database may do at a time; the others wait for their turn. Whoever
 * ends in the middle of it lets go of it. An embedded database belongs to one process, which holds its folder's lock.
 *
 * @param work  uses other connections, and must not come here again
 */
export async function oneAtATime<Tables, Result>(
  database: Kysely<Tables>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!(database.getExecutor().adapter instanceof PostgresAdapter)) {
    return work();
  }
  return database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    return work();
  });
}
