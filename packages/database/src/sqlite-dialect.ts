import { closeSync, openSync } from "node:fs";
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { EmbeddedDatabase } from "./embedded-database.ts";
import { LogSync, type SyncFile } from "./log-sync.ts";
import { EmbeddedDriver, type OpenedDatabase } from "./sqlite-driver.ts";

/**
 * The embedded database: one SQLite file with a write-ahead log beside it.
 *
 * @param syncLog  how the log reaches the disk, for tests of what waits for it
 */
export function sqliteDialect(file: string, syncLog?: SyncFile): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new EmbeddedDriver(() => open(file, syncLog)),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function open(file: string, syncLog: SyncFile | undefined): OpenedDatabase {
  // SQLite itself syncs only before it carries the log over: commits are synced by LogSync, beside the event loop.
  const database = new EmbeddedDatabase(file, "NORMAL");
  if (file === ":memory:") {
    return { database, log: undefined, close: () => database.close() };
  }
  // The first look at the file makes the log, which stays the same one while it is open.
  database.prepare("select count(*) from sqlite_master").all([]);
  const descriptor = openSync(`${file}-wal`, "r");
  return {
    database,
    log: new LogSync(descriptor, syncLog),
    close: () => {
      database.close();
      closeSync(descriptor);
    },
  };
}
