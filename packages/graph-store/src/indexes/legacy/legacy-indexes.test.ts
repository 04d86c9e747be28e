import { systemClock } from "@trefoil/base";
import fc from "fast-check";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GraphStore, openGraphStore } from "../../graph-store.ts";
import { type Transaction } from "../../transactions/transaction.ts";
import { LuceneSyntaxError, parseLuceneQuery } from "./lucene-query.ts";

let directory: string;
let store: GraphStore;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "legacy-"));
  store = await openGraphStore({ directory, clock: systemClock });
});

afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

const EXACT = { type: "exact", provider: "lucene" };

async function change<T>(work: (transaction: Transaction) => T): Promise<T> {
  const transaction = store.begin();
  expect(transaction.lockForWriting()).toBe(true);
  const result = work(transaction);
  await transaction.commit();
  return result;
}

function read<T>(work: (transaction: Transaction) => T): T {
  const transaction = store.begin();
  try {
    return work(transaction);
  } finally {
    transaction.rollback();
  }
}

const ids = (index: string, query: string): number[] =>
  read(({ legacyIndexes }) => legacyIndexes.query("node", index, query).map(({ id }) => id)).sort((a, b) => a - b);

async function fill(type: string, values: readonly string[]): Promise<number[]> {
  return await change((transaction) => {
    transaction.legacyIndexes.create("node", "people", { ...EXACT, type });
    return values.map((value) => {
      const node = transaction.createNode([]);
      transaction.legacyIndexes.add("node", "people", node, "name", value);
      return node;
    });
  });
}

describe("legacy indexes", () => {
  it("are seen by their own transaction at once, by others after the commit, and after a restart", async () => {
    const transaction = store.begin();
    transaction.lockForWriting();
    const node = transaction.createNode([]);
    transaction.legacyIndexes.create("node", "people", EXACT);
    transaction.legacyIndexes.add("node", "people", node, "name", "Ann Lee");
    expect(transaction.legacyIndexes.get("node", "people", "name", "Ann Lee")).toEqual([node]);
    expect(read(({ legacyIndexes }) => legacyIndexes.list("node").size)).toBe(0);
    await transaction.commit();
    for (const checkpoint of [false, true]) {
      if (checkpoint) {
        await store.checkpoint();
      }
      await store.close();
      store = await openGraphStore({ directory, clock: systemClock });
      expect(read(({ legacyIndexes }) => legacyIndexes.list("node"))).toEqual(new Map([["people", EXACT]]));
      expect(ids("people", "name:Ann*")).toEqual([node]);
    }
  });

  it("forget what a rolled back statement put in, and what was removed", async () => {
    const [ann = -1] = await fill("exact", ["Ann"]);
    const transaction = store.begin();
    const mark = transaction.savepoint();
    transaction.legacyIndexes.add("node", "people", ann, "name", "Bob");
    transaction.rollbackTo(mark);
    transaction.legacyIndexes.remove("node", "people", ann, "name");
    expect(transaction.legacyIndexes.query("node", "people", "*:*")).toEqual([]);
    await transaction.commit();
    expect(ids("people", "*:*")).toEqual([]);
  });

  it("let go of entities that are deleted, whose ids are given out again", async () => {
    const [ann = -1] = await fill("exact", ["Ann"]);
    await change((transaction) => {
      transaction.lockNode(ann);
      transaction.deleteNode(ann);
    });
    expect(ids("people", "*:*")).toEqual([]);
  });

  it("fail for names that are not there", () => {
    expect(() => ids("nope", "*:*")).toThrow("Index `nope` does not exist");
  });
});

describe("queries", () => {
  it.each([
    ["name:Ann", ["Ann"]],
    ["name:ann", []],
    ["name:A*", ["Ann", "Abe", "Ann Lee"]],
    ["name:*e*", ["Abe", "Ann Lee"]],
    ["name:?ob", ["Bob"]],
    ["name:Ann OR name:Bob", ["Ann", "Bob"]],
    ["name:(Ann Bob)", ["Ann", "Bob"]],
    ["name:A* AND NOT name:Abe", ["Ann", "Ann Lee"]],
    ["+name:A* -name:Ann", ["Abe", "Ann Lee"]],
    ["-name:Ann", []],
    ['name:"Ann Lee"', ["Ann Lee"]],
    ["name:Ann\\ Lee", ["Ann Lee"]],
    ["name:[Abe TO Ann]", ["Ann", "Abe"]],
    ["name:{Abe TO Ann}", []],
    ["name:[B TO *]", ["Bob"]],
    ["name:Anm~0.5", ["Ann"]],
    ["name:Bob^4", ["Bob"]],
    ["*:*", ["Ann", "Abe", "Bob", "Ann Lee"]],
    ["other:*", []],
  ])("%s finds in an exact index", async (query, expected) => {
    const names = ["Ann", "Abe", "Bob", "Ann Lee"];
    const nodes = await fill("exact", names);
    expect(ids("people", query)).toEqual(nodes.filter((_, at) => expected.includes(names[at]!)));
  });

  it.each([
    ["text:FOX", [0, 1]],
    ['text:"quick brown"', [0]],
    ["text:qu* AND text:dog", [1]],
    ["text:(dog OR bear)", [1, 2]],
  ])("%s finds words in a full-text index", async (query, expected) => {
    const texts = ["The quick  brown fox", "brown quick fox and dog", "A bear"];
    const nodes = await fill("fulltext", []).then(() =>
      change((transaction) =>
        texts.map((text) => {
          const node = transaction.createNode([]);
          transaction.legacyIndexes.add("node", "people", node, "text", text);
          return node;
        }),
      ),
    );
    expect(ids("people", query)).toEqual(nodes.filter((_, at) => expected.includes(at)));
  });

  it("score rare terms above common ones", async () => {
    await fill("exact", ["Ann", "Ann", "Ann", "Bob"]);
    const [first] = read(({ legacyIndexes }) =>
      [...legacyIndexes.query("node", "people", "name:Ann OR name:Bob")].sort((a, b) => b.score - a.score),
    );
    expect(read(({ legacyIndexes }) => legacyIndexes.get("node", "people", "name", "Bob"))).toEqual([first?.id]);
  });

  it("score what is there more often above what is there once", async () => {
    const [once, twice] = await fill("fulltext", ["x", "x y"]);
    await change(({ legacyIndexes }) => legacyIndexes.add("node", "people", twice!, "name", "x z"));
    const hits = read(({ legacyIndexes }) => legacyIndexes.query("node", "people", "name:x"));
    const scores = new Map(hits.map(({ id, score }) => [id, score]));
    expect(scores.get(twice!)! / scores.get(once!)!).toBeCloseTo(Math.SQRT2, 6);
  });

  it.each(["", "[", "name:", "name:[a", "(a", "a AND", '"a', "AND", "a OR OR b", "a~1", "a:b:c", "a:b^"])(
    "%j is refused",
    (query) => {
      expect(() => parseLuceneQuery(query, "f")).toThrow(LuceneSyntaxError);
    },
  );

  it.each(["a", "name:a OR b", '"a b"', "a*"])("%j is refused where terms need a field", (query) => {
    expect(() => parseLuceneQuery(query, undefined)).toThrow(LuceneSyntaxError);
  });

  it("never break down on any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab:*?"\\()[]{}~^+-! ANDTO')) }), (text) => {
        let failure: unknown = new LuceneSyntaxError("none");
        try {
          parseLuceneQuery(text, "f");
        } catch (error) {
          failure = error;
        }
        expect(failure).toBeInstanceOf(LuceneSyntaxError);
      }),
    );
  });
});

describe("automatic indexes", () => {
  it("follow the properties they are told to, within the transaction and after it", async () => {
    await change(({ legacyIndexes }) => legacyIndexes.setAuto("node", { enabled: true, keys: ["name"] }));
    const node = await change((transaction) => {
      const created = transaction.createNode([]);
      transaction.setNodeProperty(created, transaction.propertyKeyId("name"), "Ann");
      transaction.setNodeProperty(created, transaction.propertyKeyId("other"), "x");
      expect(transaction.legacyIndexes.get("node", "node_auto_index", "name", "Ann")).toEqual([created]);
      return created;
    });
    expect(ids("node_auto_index", "*:*")).toEqual([node]);
    await change((transaction) => {
      transaction.lockNode(node);
      transaction.setNodeProperty(node, transaction.propertyKeyId("name"), ["Bob", "Bert"]);
    });
    expect(ids("node_auto_index", "name:Ann")).toEqual([]);
    expect(ids("node_auto_index", "name:Bert")).toEqual([node]);
  });
});
