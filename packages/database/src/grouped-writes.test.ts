import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Kysely } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GroupedWrites } from "./grouped-writes.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

interface Tables {
  readonly words: { readonly word: string };
}

let folder: string;
let database: Kysely<Tables>;
let writes: GroupedWrites<Tables>;
/** Each commit has the log synced once. */
let commits: number;

const open = (): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: sqliteDialect(path.join(folder, "words.db"), () => {
      commits += 1;
      return Promise.resolve();
    }),
  });

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "trefoil-database-"));
  database = open();
  await database.schema
    .createTable("words")
    .addColumn("word", "text", (column) => column.primaryKey())
    .execute();
  writes = new GroupedWrites(database);
  commits = 0;
});
afterEach(async () => {
  await database.destroy();
  await rm(folder, { recursive: true });
});

const insert = (word: string) => database.insertInto("words").values({ word }).compile();
const remove = (word: string) => database.deleteFrom("words").where("word", "=", word).compile();
const say = (word: string): Promise<boolean> => writes.run([insert(word)]);

const words = async (): Promise<readonly string[]> =>
  (await database.selectFrom("words").select("word").orderBy("word").execute()).map(({ word }) => word);

test("writes of one moment share a transaction, and each gets its own result", async () => {
  expect(await Promise.all([say("a"), say("b"), writes.run([remove("none")]), say("c")])).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect(commits).toBe(1);
  await say("d");
  expect(commits).toBe(2);
  expect(await words()).toEqual(["a", "b", "c", "d"]);
});

test("what comes after a statement that changes nothing is left out", async () => {
  await say("a");
  expect(await writes.run([remove("a"), insert("b")])).toBe(true);
  expect(await writes.run([remove("a"), insert("c")])).toBe(false);
  expect(await words()).toEqual(["b"]);
});

test("what is answered is there for others", async () => {
  await say("a");
  const other = open();
  expect(await other.selectFrom("words").selectAll().execute()).toEqual([{ word: "a" }]);
  await other.destroy();
});

test("a write that fails takes no other with it, and leaves nothing", async () => {
  const half = writes.run([insert("half"), insert("half")]);
  const outcomes = await Promise.allSettled([say("a"), half, say("a"), say("b")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(await words()).toEqual(["a", "b"]);
  expect(await say("c")).toBe(true);
});
