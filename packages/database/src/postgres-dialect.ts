import { type Dialect, PostgresDialect, type PostgresPool } from "kysely";

/** PostgreSQL's 64-bit integers: ours are times and counts, which a JavaScript number holds exactly. */
const INT8 = 20;
const CONNECTION_LIMIT = 10;
const CONNECT_TIMEOUT_MS = 10_000;

/** A PostgreSQL server behind a pool of connections. */
export function postgresDialect(url: URL): Dialect {
  return new PostgresDialect({ pool: () => createPool(url) });
}

/** Loads the client only here: servers with an embedded database start without it. */
async function createPool(url: URL): Promise<PostgresPool> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url.href,
    max: CONNECTION_LIMIT,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: {
      getTypeParser: (type, format) => (type === INT8 ? Number : pg.types.getTypeParser(type, format as "text")),
    },
  });
  // A connection that breaks while nobody uses it is replaced by the next one that is needed.
  pool.on("error", () => undefined);
  return pool;
}
