import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Clock } from "@trefoil/base";
import { type DatabaseLocation, openDatabase } from "@trefoil/database";
import { sql } from "kysely";

/** The URL of a PostgreSQL server on which tests may make databases; without it each has an embedded one. */
export const postgresServer: string | undefined = process.env["TREFOIL_TEST_POSTGRES"];

/** A database of one's own for a test. */
export interface TestDatabase {
  readonly location: DatabaseLocation;
  remove(): Promise<void>;
}

/** @param folder  where an embedded one lies; removed by whoever made it */
export async function createTestDatabase(folder: string, clock: Clock): Promise<TestDatabase> {
  if (postgresServer === undefined) {
    return { location: { file: join(folder, "identity.db") }, remove: () => Promise.resolve() };
  }
  const name = `trefoil_test_${randomBytes(8).toString("hex")}`;
  await administer(postgresServer, clock, `create database ${name}`);
  const url = new URL(postgresServer);
  url.pathname = `/${name}`;
  return {
    location: { url: url.href },
    remove: () => administer(postgresServer ?? "", clock, `drop database ${name} with (force)`),
  };
}

async function administer(server: string, clock: Clock, statement: string): Promise<void> {
  const database = await openDatabase<object>({ url: server, migrations: [], clock });
  await sql.raw(statement).execute(database);
  await database.destroy();
}
