import { type Clock, StartError } from "@trefoil/base";
import { type Dialect, Kysely } from "kysely";
import { migrate, type Migration } from "./migrations.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

/** Either the path of an embedded database file or the URL of a database. */
export type DatabaseLocation =
  | { readonly file: string; readonly url?: undefined }
  | { readonly url: string; readonly file?: undefined };

export type OpenDatabaseOptions = DatabaseLocation & {
  /** Every step of the schema since the first release, oldest first; only ever appended to. */
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
};

/**
 * Opens the database, creating an embedded one with mode 0600, and brings its schema up to date.
 * Commits are synced before they are acknowledged and foreign keys hold.
 *
 * @returns the database; `destroy()` closes it and leaves a single clean file
 * @throws  StartError `store` for a damaged, foreign or newer database, `configuration` for a URL of an unknown kind
 */
export async function openDatabase<Tables>(options: OpenDatabaseOptions): Promise<Kysely<Tables>> {
  const database = new Kysely<Tables>({ dialect: dialectOf(options) });
  try {
    await migrate(database, options.migrations, options.clock);
  } catch (error) {
    await database.destroy();
    throw asStartError(error, options);
  }
  return database;
}

/** The kinds of database by the scheme of their URL: the one place that knows which dialects exist. */
const dialects: Readonly<Record<string, (url: URL) => Dialect>> = {
  "file:": (url) => sqliteDialect(decodeURIComponent(url.pathname)),
  "postgres:": postgresDialect,
  "postgresql:": postgresDialect,
};

function dialectOf(location: DatabaseLocation): Dialect {
  if (location.file !== undefined) {
    return sqliteDialect(location.file);
  }
  const url = URL.canParse(location.url) ? new URL(location.url) : undefined;
  const dialect = url === undefined ? undefined : dialects[url.protocol];
  if (url === undefined || dialect === undefined) {
    // The URL itself may hold a password and is not repeated.
    throw new StartError(
      "configuration",
      `The database URL must begin with one of: ${Object.keys(dialects).join(", ")}`,
    );
  }
  return dialect(url);
}

function asStartError(error: unknown, location: DatabaseLocation): StartError {
  if (error instanceof StartError) {
    return error;
  }
  const where = location.file ?? "at its URL";
  return new StartError("store", `The database ${where} cannot be opened: ${messageOf(error)}`, { cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
