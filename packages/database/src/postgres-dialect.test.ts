import { randomBytes } from "node:crypto";
import { ManualClock } from "@trefoil/base";
import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bytesType, isUniqueViolation, type Migration, openDatabase } from "./index.ts";

/** A server on which tests may make databases; without one only what needs none is tested. */
const server = process.env["TREFOIL_TEST_POSTGRES"];
/** The file of its own certificate, when it has one that nobody else vouches for. */
const certificate = process.env["TREFOIL_TEST_POSTGRES_CERTIFICATE"];
const clock = new ManualClock(7);

interface Tables {
  things: { id: number; at_ms: number; body: Buffer };
}

const createThings: Migration = {
  name: "0001-things",
  up: async (transaction) => {
    await transaction.schema
      .createTable("things")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("at_ms", "bigint", (column) => column.notNull())
      .addColumn("body", bytesType(transaction), (column) => column.notNull())
      .execute();
  },
};

test("a server that doesn't answer is a store that cannot be opened; the password stays untold", async () => {
  const refused = openDatabase({ url: "postgres://u:topsecret@127.0.0.1:1/x", migrations: [], clock });
  await expect(refused).rejects.toMatchObject({ code: "store", message: expect.not.stringContaining("topsecret") });
});

describe.skipIf(server === undefined)("a PostgreSQL database", () => {
  let url: string;
  let administrator: Kysely<object>;
  const open: Kysely<Tables>[] = [];
  const openThings = async (): Promise<Kysely<Tables>> => {
    const database = await openDatabase<Tables>({ url, migrations: [createThings], clock });
    open.push(database);
    return database;
  };

  beforeEach(async () => {
    administrator = await openDatabase<object>({ url: server ?? "", migrations: [], clock });
    const name = `trefoil_test_${randomBytes(8).toString("hex")}`;
    await sql.raw(`create database ${name}`).execute(administrator);
    url = new URL(`/${name}`, server).href;
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.destroy()));
    await sql.raw(`drop database ${new URL(url).pathname.slice(1)} with (force)`).execute(administrator);
    await administrator.destroy();
  });

  test("gives numbers and bytes as they came, and knows a second row of one key", async () => {
    const database = await openThings();
    const row = { id: 1, at_ms: 1_795_343_012_345, body: Buffer.from([0, 255, 7]) };
    await database.insertInto("things").values(row).execute();
    expect(await database.selectFrom("things").selectAll().execute()).toEqual([row]);
    const { rows } = await database
      .selectFrom("things")
      .select((column) => column.fn.countAll<number>().as("rows"))
      .executeTakeFirstOrThrow();
    expect(rows).toBe(1);
    const second = database.insertInto("things").values(row).execute();
    await expect(second).rejects.toSatisfy(isUniqueViolation);
  });

  test("is migrated once by processes that start together, and kept", async () => {
    await Promise.all([openThings(), openThings(), openThings()]);
    const again = await openThings();
    expect(await again.selectFrom("things").selectAll().execute()).toEqual([]);
  });

  test.skipIf(certificate === undefined)("is asked over TLS when the URL says so, and must prove itself", async () => {
    const trusting = await openDatabase<object>({
      url: `${url}?sslmode=verify-full&sslrootcert=${certificate}`,
      migrations: [],
      clock,
    });
    const { rows } = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(trusting);
    expect(rows).toEqual([{ ssl: true }]);
    await trusting.destroy();
    const doubting = openDatabase({ url: `${url}?sslmode=verify-full`, migrations: [], clock });
    await expect(doubting).rejects.toMatchObject({ code: "store", message: expect.stringContaining("self-signed") });
  });

  test("of another program is left alone", async () => {
    const foreign = await openThings();
    await sql`drop table schema_migrations`.execute(foreign);
    await expect(openThings()).rejects.toMatchObject({ code: "store" });
  });
});
