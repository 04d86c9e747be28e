import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EmbeddedDatabase } from "./index.ts";

let folder: string;
let database: EmbeddedDatabase;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "trefoil-database-"));
  database = open();
  database.prepare("CREATE TABLE things (id INTEGER PRIMARY KEY, body BLOB, uses INTEGER NOT NULL)").run([]);
  database.prepare("INSERT INTO things VALUES (?, ?, 1), (?, NULL, 1)").run([1, Buffer.from("bytes"), 2]);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const open = (): EmbeddedDatabase => new EmbeddedDatabase(path.join(folder, "t.db"));

test("the first row is the same as that of all", () => {
  const things = database.prepare("SELECT id, body FROM things WHERE id >= ? ORDER BY id");
  expect(things.first([1])).toEqual({ id: 1, body: Buffer.from("bytes") });
  expect(things.first([1])).toEqual(things.all([1])[0]);
  expect(things.first([2])).toEqual({ id: 2, body: null });
  expect(things.first([3])).toBeUndefined();
});

test("a statement that stopped at its first row holds nothing: it sees what another connection changes", () => {
  const uses = database.prepare("SELECT id, uses FROM things ORDER BY id");
  expect(uses.first([])).toEqual({ id: 1, uses: 1 });
  const other = open();
  other.prepare("UPDATE things SET uses = 5").run([]);
  expect(uses.first([])).toEqual({ id: 1, uses: 5 });
  expect(other.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all([])).toMatchObject([{ busy: 0 }]);
  other.close();
});

test("a change that returns rows is made whole, though only the first is asked for", () => {
  database.prepare("BEGIN").run([]);
  expect(database.prepare("UPDATE things SET uses = uses + 1 RETURNING uses").first([])).toEqual({ uses: 2 });
  database.prepare("COMMIT").run([]);
  expect(database.prepare("SELECT min(uses) AS least FROM things").all([])).toEqual([{ least: 2 }]);
});

test("a statement that was asked before a table got another column tells it", () => {
  const things = database.prepare("SELECT * FROM things WHERE id = ?");
  expect(things.all([2])).toEqual([{ id: 2, body: null, uses: 1 }]);
  database.prepare("ALTER TABLE things ADD COLUMN note TEXT DEFAULT 'x'").run([]);
  expect(things.all([2])).toEqual([{ id: 2, body: null, uses: 1, note: "x" }]);
});
