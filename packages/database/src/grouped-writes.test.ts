import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Kysely } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GroupedWrites } from "./grouped-writes.ts";
import { openDatabase } from "./open-database.ts";

interface Tables {
  readonly words: { readonly word: string };
}

const clock = { now: () => 0 };
const migrations = [
  {
    name: "words",
    up: async (transaction: Kysely<unknown>) => {
      await transaction.schema
        .createTable("words")
        .addColumn("word", "text", (column) => column.primaryKey())
        .execute();
    },
  },
];

let folder: string;
let database: Kysely<Tables>;
let writes: GroupedWrites<Tables>;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "trefoil-database-"));
  database = await openDatabase<Tables>({ file: path.join(folder, "words.db"), migrations, clock });
  writes = new GroupedWrites(database);
});
afterEach(async () => {
  await database.destroy();
  await rm(folder, { recursive: true });
});

const say = (word: string, seen: unknown[] = []): Promise<string> =>
  writes.run(async (transaction) => {
    seen.push(transaction);
    await transaction.insertInto("words").values({ word }).execute();
    return word;
  });

const words = async (): Promise<readonly string[]> =>
  (await database.selectFrom("words").select("word").orderBy("word").execute()).map(({ word }) => word);

test("writes of one moment share a transaction, and each gets its own result", async () => {
  const seen: unknown[] = [];
  expect(await Promise.all([say("a", seen), say("b", seen), say("c", seen)])).toEqual(["a", "b", "c"]);
  expect(new Set(seen).size).toBe(1);
  await say("d", seen);
  expect(new Set(seen).size).toBe(2);
  expect(await words()).toEqual(["a", "b", "c", "d"]);
});

test("what is answered is there for others", async () => {
  await say("a");
  const other = await openDatabase<Tables>({ file: path.join(folder, "words.db"), migrations, clock });
  expect(await other.selectFrom("words").selectAll().execute()).toEqual([{ word: "a" }]);
  await other.destroy();
});

test("a write that fails takes no other with it, and leaves nothing", async () => {
  const half = writes.run(async (transaction) => {
    await transaction.insertInto("words").values({ word: "half" }).execute();
    throw new Error("no");
  });
  const outcomes = await Promise.allSettled([say("a"), half, say("a"), say("b")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(await words()).toEqual(["a", "b"]);
  expect(await say("c")).toBe("c");
});
