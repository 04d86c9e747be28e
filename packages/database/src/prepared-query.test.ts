import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Kysely } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Migration } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { PreparedQuery } from "./prepared-query.ts";

interface Tables {
  things: { id: number; name: string | null };
}

const migrations: readonly Migration[] = [
  {
    name: "things",
    up: async (transaction) => {
      await transaction.schema.createTable("things").addColumn("id", "integer").addColumn("name", "text").execute();
    },
  },
];

let folder: string;
let database: Kysely<Tables>;
let built: number;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "trefoil-database-"));
  database = await openDatabase<Tables>({ file: path.join(folder, "t.db"), migrations, clock: { now: () => 0 } });
  built = 0;
});
afterEach(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true });
});

const add = new PreparedQuery((open: Kysely<Tables>, thing: Tables["things"]) =>
  open.insertInto("things").values({ name: thing.name, id: thing.id }),
);

test("is built once and runs with the values of each time, constants included", async () => {
  const named = new PreparedQuery((open: Kysely<Tables>, values: { readonly name: string }) => {
    built += 1;
    return open.selectFrom("things").select("id").where("id", ">", 1).where("name", "=", values.name);
  });
  await add.run(database, { id: 1, name: "a" });
  await add.run(database, { id: 2, name: "a" });
  await add.run(database, { id: 3, name: null });
  expect((await named.run(database, { name: "a" })).rows).toEqual([{ id: 2 }]);
  expect((await named.run(database, { name: "b" })).rows).toEqual([]);
  expect(built).toBe(1);
});

test("takes values by place as well", async () => {
  const addTwo = new PreparedQuery((open: Kysely<Tables>, values: readonly [number, number]) =>
    open.insertInto("things").values([{ id: values[0] }, { id: values[1] }] as Tables["things"][]),
  );
  await addTwo.run(database, [4, 5]);
  expect(await database.selectFrom("things").select("id").execute()).toEqual([{ id: 4 }, { id: 5 }]);
});

test("is part of the transaction that it runs in", async () => {
  const failing = database.transaction().execute(async (transaction) => {
    await add.run(transaction, { id: 1, name: "a" });
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await database.selectFrom("things").selectAll().execute()).toEqual([]);
});

test("with a limit of one it gives the first row or none", async () => {
  const first = new PreparedQuery((open: Kysely<Tables>, values: { readonly above: number }) =>
    open.selectFrom("things").selectAll().where("id", ">", values.above).orderBy("id").limit(1),
  );
  await add.run(database, { id: 2, name: "b" });
  await add.run(database, { id: 1, name: "a" });
  expect((await first.run(database, { above: 0 })).rows).toEqual([{ id: 1, name: "a" }]);
  expect((await first.run(database, { above: 1 })).rows).toEqual([{ id: 2, name: "b" }]);
  expect((await first.run(database, { above: 2 })).rows).toEqual([]);
});

test("without values to fill in it is refused", () => {
  const all = new PreparedQuery((open: Kysely<Tables>) => open.selectFrom("things").selectAll());
  expect(() => all.run(database, {})).toThrow("values to be filled in");
});
