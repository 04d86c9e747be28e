import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LogSync } from "./log-sync.ts";
import { PreparedQuery } from "./prepared-query.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

interface Tables {
  words: { word: string };
}

/** A disk that takes as long as the test wants. */
class SlowDisk {
  readonly #pending: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  syncs = 0;
  isSlow = false;

  readonly sync = (): Promise<void> => {
    this.syncs += 1;
    return this.isSlow ? new Promise((resolve, reject) => this.#pending.push({ resolve, reject })) : Promise.resolve();
  };

  finish(): void {
    this.#pending.shift()?.resolve();
  }

  fail(): void {
    this.#pending.shift()?.reject(new Error("the disk is gone"));
  }
}

let folder: string;
let disk: SlowDisk;
let database: Kysely<Tables>;
/** What has come back so far, in that order. */
let answered: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "trefoil-database-"));
  disk = new SlowDisk();
  answered = [];
  database = new Kysely<Tables>({ dialect: sqliteDialect(join(folder, "words.db"), disk.sync) });
  await database.schema.createTable("words").addColumn("word", "text").execute();
  disk.isSlow = true;
  disk.syncs = 0;
});
afterEach(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true });
});

const noted = async (name: string, work: Promise<unknown>): Promise<void> => {
  await work;
  answered.push(name);
};
const write = (word: string): Promise<void> => noted(word, database.insertInto("words").values({ word }).execute());
const read = (): Promise<void> => noted("read", database.selectFrom("words").selectAll().execute());
const transaction = (word: string): Promise<void> =>
  noted(
    word,
    database.transaction().execute(async (open) => {
      await open.insertInto("words").values({ word }).execute();
      // Inside it one sees one's own.
      expect(await open.selectFrom("words").selectAll().execute()).toContainEqual({ word });
    }),
  );
/** Everything that doesn't wait for the disk has happened. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise(setImmediate);
  }
};

test("a write is answered when it is on disk, and not before", async () => {
  const writing = write("a");
  await settle();
  expect([answered, disk.syncs]).toEqual([[], 1]);
  disk.finish();
  await writing;
  expect(answered).toEqual(["a"]);
});

test("so is a transaction, with all it wrote", async () => {
  const writing = transaction("a");
  await settle();
  expect(answered).toEqual([]);
  disk.finish();
  await writing;
});

test("what is not on disk yet is told to nobody", async () => {
  const writing = write("a");
  await settle();
  const reading = read();
  await settle();
  expect(answered).toEqual([]);
  disk.finish();
  await Promise.all([writing, reading]);
  expect(disk.syncs).toBe(1);
});

test("who commits himself may look ahead, and is answered when all that he saw is on disk", async () => {
  const words = new PreparedQuery((open: Kysely<Tables>, values: Tables["words"]) =>
    open.selectFrom("words").select("word").where("word", "=", values.word),
  );
  const writing = write("a");
  await settle();
  expect((await words.runAhead(database, { word: "a" })).rows).toEqual([{ word: "a" }]);
  const own = write("b");
  disk.finish();
  await settle();
  expect(answered).toEqual(["a"]);
  disk.finish();
  await Promise.all([writing, own]);
});

test("others commit during a sync and share the next", async () => {
  const writing = [write("a")];
  await settle();
  writing.push(write("b"), transaction("c"), write("d"));
  await settle();
  expect([answered, disk.syncs]).toEqual([[], 1]);
  disk.finish();
  await settle();
  expect([answered, disk.syncs]).toEqual([["a"], 2]);
  disk.finish();
  await Promise.all(writing);
  expect([answered.toSorted(), disk.syncs]).toEqual([["a", "b", "c", "d"], 2]);
});

test("reading alone syncs nothing", async () => {
  await Promise.all([read(), read()]);
  await database.transaction().execute((open) => open.selectFrom("words").selectAll().execute());
  expect(disk.syncs).toBe(0);
});

test.each([write, transaction])("after a sync that failed nothing is acknowledged any more: %o", async (how) => {
  const writing = how("a");
  await settle();
  const rejected = expect(writing).rejects.toThrow("could not be synced");
  disk.fail();
  await rejected;
  disk.isSlow = false;
  await expect(write("b")).rejects.toThrow("could not be synced");
  await expect(read()).rejects.toThrow("could not be synced");
});

test("a transaction that fails leaves nothing, and the connection goes on", async () => {
  disk.isSlow = false;
  const failing = database.transaction().execute(async (open) => {
    await open.insertInto("words").values({ word: "half" }).execute();
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await database.selectFrom("words").selectAll().execute()).toEqual([]);
});

test("a connection that is held may write several times", async () => {
  disk.isSlow = false;
  await database.connection().execute(async (one) => {
    await one.insertInto("words").values({ word: "a" }).execute();
    await Promise.all([write("b"), one.insertInto("words").values({ word: "c" }).execute()]);
  });
  expect(await database.selectFrom("words").selectAll().execute()).toHaveLength(3);
});

test("waits for a sync that began after the write, not for one that was going on", async () => {
  const log = new LogSync(0, disk.sync);
  log.wrote();
  const first = log.whenSynced();
  log.wrote();
  const second = noted("second", log.whenSynced() ?? Promise.resolve());
  disk.finish();
  await first;
  await settle();
  expect([answered, disk.syncs]).toEqual([[], 2]);
  disk.finish();
  await second;
  expect(log.whenSynced()).toBeUndefined();
});
