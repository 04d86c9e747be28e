import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock, StartError } from "@trefoil/base";
import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isUniqueViolation, type Migration, openDatabase } from "./index.ts";

interface Tables {
  things: { id: number; name: string; body: Buffer | null };
}

const createThings: Migration = {
  name: "0001-things",
  up: async (transaction) => {
    await transaction.schema
      .createTable("things")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull().unique())
      .addColumn("body", sql`blob`)
      .execute();
  },
};
const addColour: Migration = {
  name: "0002-colour",
  up: async (transaction) => {
    await transaction.schema.alterTable("things").addColumn("colour", "text").execute();
  },
};

let folder: string;
const open: Kysely<Tables>[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trefoil-database-"));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((database) => database.destroy()));
  rmSync(folder, { recursive: true });
});

async function openThings(migrations: readonly Migration[] = [createThings]): Promise<Kysely<Tables>> {
  const database = await openDatabase<Tables>({ file: join(folder, "t.db"), migrations, clock: new ManualClock(7) });
  open.push(database);
  return database;
}

async function close(database: Kysely<Tables>): Promise<void> {
  open.splice(open.indexOf(database), 1);
  await database.destroy();
}

describe("opening", () => {
  test("keeps foreign keys, and only the owner can read the files", async () => {
    const database = await openThings();
    await database.insertInto("things").values({ id: 1, name: "a", body: null }).execute();
    const value = async (pragma: string): Promise<unknown> =>
      Object.values((await sql<object>`${sql.raw(`pragma ${pragma}`)}`.execute(database)).rows[0] ?? {})[0];
    // Enough to keep the file whole; commits are synced beside (log-sync.test.ts).
    expect(await value("synchronous")).toBe(1);
    expect(await value("foreign_keys")).toBe(1);
    expect(await value("journal_mode")).toBe("wal");
    for (const file of readdirSync(folder)) {
      expect(statSync(join(folder, file)).mode & 0o777, file).toBe(0o600);
    }
  });

  test("a second open finds the rows and runs only the new migrations", async () => {
    const first = await openThings();
    await first.insertInto("things").values({ id: 1, name: "a", body: null }).execute();
    await close(first);
    const second = await openThings([createThings, addColour]);
    expect(await second.selectFrom("things").selectAll().execute()).toEqual([
      { id: 1, name: "a", body: null, colour: null },
    ]);
  });

  test("refuses a database with newer migrations and leaves it as it is", async () => {
    await close(await openThings([createThings, addColour]));
    await expect(openThings([createThings])).rejects.toThrow(/newer release.*0002-colour/);
    await close(await openThings([createThings, addColour]));
  });

  test("refuses another history, a foreign database and a damaged file", async () => {
    await close(await openThings([createThings]));
    await expect(openThings([addColour])).rejects.toThrow(/another history/);
    writeFileSync(join(folder, "t.db"), "this is certainly not a database file, whatever it is".repeat(100));
    rmSync(join(folder, "t.db-wal"), { force: true });
    rmSync(join(folder, "t.db-shm"), { force: true });
    await expect(openThings()).rejects.toThrow(StartError);
  });

  test("a migration that fails leaves nothing behind", async () => {
    const failing: Migration = {
      name: "0002-failing",
      up: async (transaction) => {
        await addColour.up(transaction);
        throw new Error("half way");
      },
    };
    await expect(openThings([createThings, failing])).rejects.toThrow(/half way/);
    const database = await openThings([createThings, addColour]);
    expect(await database.selectFrom("things").selectAll().execute()).toEqual([]);
  });

  test("a URL chooses the kind of database, and its password is never repeated", async () => {
    const clock = new ManualClock(0);
    const database = await openDatabase<Tables>({ url: `file://${join(folder, "u.db")}`, migrations: [], clock });
    await database.destroy();
    const refused = openDatabase<Tables>({ url: "oracle://u:topsecret@h/x", migrations: [], clock });
    await expect(refused).rejects.toThrow(/must begin with one of/);
    await expect(refused).rejects.not.toThrow(/topsecret/);
  });
});

describe("values", () => {
  test("blobs come back as Buffer, integers as integers", async () => {
    const database = await openThings();
    await database
      .insertInto("things")
      .values({ id: 9, name: "a", body: Buffer.from([0, 1, 2]) })
      .execute();
    const row = await database.selectFrom("things").selectAll().executeTakeFirstOrThrow();
    expect(row).toEqual({ id: 9, name: "a", body: Buffer.from([0, 1, 2]) });
    const type = await sql<{ t: string }>`select typeof(${-5}) as t`.execute(database);
    expect(type.rows).toEqual([{ t: "integer" }]);
  });

  test.each([[true], [new Date(0)], [{ a: 1 }], [2n ** 63n], ["a\0b"]])(
    "%o is refused instead of ending the process",
    async (value) => {
      const database = await openThings();
      await expect(sql`select ${value} as a`.execute(database)).rejects.toThrow();
      expect((await sql`select 1 as a`.execute(database)).rows).toEqual([{ a: 1 }]);
    },
  );

  test("a second row under a unique key is recognised", async () => {
    const database = await openThings();
    await database.insertInto("things").values({ id: 1, name: "a", body: null }).execute();
    const second = database.insertInto("things").values({ id: 2, name: "a", body: null }).execute();
    await expect(second).rejects.toSatisfy(isUniqueViolation);
    const sameId = database.insertInto("things").values({ id: 1, name: "b", body: null }).execute();
    await expect(sameId).rejects.toSatisfy(isUniqueViolation);
    expect(isUniqueViolation(new Error("x"))).toBe(false);
  });

  test("transactions roll back whole", async () => {
    const database = await openThings();
    const failing = database.transaction().execute(async (transaction) => {
      await transaction.insertInto("things").values({ id: 1, name: "a", body: null }).execute();
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await database.selectFrom("things").selectAll().execute()).toEqual([]);
  });

  test("a reader that stops halfway leaves the database usable", async () => {
    const database = await openThings();
    for (let id = 0; id < 300; id++) {
      await database
        .insertInto("things")
        .values({ id, name: `n${id}`, body: null })
        .execute();
    }
    for await (const row of database.selectFrom("things").selectAll().orderBy("id").stream()) {
      expect(row.id).toBe(0);
      break;
    }
    await database.deleteFrom("things").execute();
    expect(await database.selectFrom("things").selectAll().execute()).toEqual([]);
  });
});
