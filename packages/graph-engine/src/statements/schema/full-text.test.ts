import { describe, expect, it } from "vitest";
import { TestGraph } from "../test-graph.ts";

const SEARCH = "CALL db.index.fulltext.queryNodes('words', $query) YIELD node, score RETURN node.title";

async function library(): Promise<TestGraph> {
  return TestGraph.open(
    "CREATE FULLTEXT INDEX words FOR (n:Book|Article) ON EACH [n.title, n.text]",
    `CREATE (:Book {title: 'The old Sea', text: 'A man, a boat, the sea.'}),
            (:Article {title: 'Boats', text: ['Hull and sail', 'the keel']}),
            (:Book {title: 'Sea of sand', pages: 3}), (:Other {title: 'sea'})`,
  );
}

async function titles(graph: TestGraph, query: string): Promise<readonly unknown[]> {
  return (await graph.run(SEARCH, { query })).rows.map(([title]) => title);
}

describe("a full-text index", () => {
  it.each([
    ["sea", ["Sea of sand", "The old Sea"]],
    ["SAIL", ["Boats"]],
    ["title:sea AND text:boat", ["The old Sea"]],
    ["boat*", ["Boats", "The old Sea"]],
    ["sea -sand", ["The old Sea"]],
    ['"a boat the"', ["The old Sea"]],
    ['"boat man"', []],
    ["boatz~", ["Boats", "The old Sea"]],
    ["nothing", []],
  ])("finds %s", async (query, expected) => {
    const found = await titles(await library(), query);
    expect([...found].map(String).toSorted()).toEqual(expected);
  });

  it("puts what fits better first", async () => {
    const graph = await library();
    expect((await titles(graph, "sea boat"))[0]).toBe("The old Sea");
    const { rows } = await graph.run(
      "CALL db.index.fulltext.queryNodes('words', 'sea', {limit: 1}) YIELD score RETURN score > 0, count(*)",
    );
    expect(rows).toEqual([[true, 1]]);
  });

  it.each([
    ["日本", ["abc日本x2", "日本語テキスト"]],
    ["語", ["日本語テキスト"]],
    ["テキスト", ["日本語テキスト"]],
    ["テキ", []],
    ["x2", ["abc日本x2"]],
    ["本は", []],
    ["本を", ["今日は本を"]],
  ])("finds %s where words have no blanks between them", async (query, expected) => {
    const graph = await library();
    await graph.run("UNWIND ['日本語テキスト', '今日は本を', 'abc日本x2'] AS title CREATE (:Book {title: title})");
    expect((await titles(graph, query)).map(String).toSorted()).toEqual(expected);
  });

  it("follows every change, and shows a transaction its own", async () => {
    const graph = await library();
    await graph.run("MATCH (n:Book {title: 'Sea of sand'}) SET n.title = 'Desert'");
    expect(await titles(graph, "sea")).toEqual(["The old Sea"]);
    const transaction = graph.store.begin();
    await graph.runIn(
      transaction,
      "CREATE (:Book {title: 'New sea'}) WITH 1 AS x MATCH (n:Book {title: 'The old Sea'}) REMOVE n:Book",
    );
    const own = await graph.runIn(transaction, SEARCH, { query: "sea" });
    expect(own.rows).toEqual([["New sea"]]);
    expect(await titles(graph, "sea")).toEqual(["The old Sea"]);
    await transaction.commit();
    expect(await titles(graph, "sea")).toEqual(["New sea"]);
    await graph.run("MATCH (n) DETACH DELETE n");
    expect(await titles(graph, "sea")).toEqual([]);
  });

  it("is over relationships, too", async () => {
    const graph = await TestGraph.open(
      "CREATE FULLTEXT INDEX said FOR ()-[r:SAYS]-() ON EACH [r.what]",
      "CREATE (:A)-[:SAYS {what: 'hello world'}]->(:B)",
    );
    const { rows } = await graph.run(
      "CALL db.index.fulltext.queryRelationships('said', 'hello') YIELD relationship RETURN relationship.what",
    );
    expect(rows).toEqual([["hello world"]]);
  });

  it("refuses names that are not there and queries that cannot be read", async () => {
    const graph = await library();
    const call = "CALL db.index.fulltext.queryNodes($index, $query)";
    await expect(graph.run(call, { index: "nope", query: "x" })).rejects.toThrow(/no such fulltext schema index/u);
    await expect(graph.run(call, { index: "words", query: "(x" })).rejects.toThrow(/Cannot parse/u);
    await expect(graph.run("CALL db.index.fulltext.queryNodes('words')")).rejects.toThrow(/number of arguments/u);
  });
});

describe("procedures about the schema", () => {
  it("list indexes and constraints", async () => {
    const graph = await TestGraph.open(
      "CREATE INDEX named FOR (n:A) ON (n.p)",
      "CREATE CONSTRAINT c FOR (n:B) REQUIRE n.q IS UNIQUE",
    );
    const indexes = await graph.run("CALL db.indexes() YIELD name, uniqueness, labelsOrTypes, properties");
    expect(indexes.rows).toEqual([
      ["c", "UNIQUE", ["B"], ["q"]],
      ["named", "NONUNIQUE", ["A"], ["p"]],
    ]);
    expect((await graph.run("CALL db.constraints() YIELD description")).rows).toEqual([
      ["CONSTRAINT ON ( b:B ) ASSERT b.q IS UNIQUE"],
    ]);
    await graph.run("CALL db.awaitIndexes()");
    await graph.run("CALL db.awaitIndexes(10)");
    await graph.run("CALL db.awaitIndex('named', 10)");
  });
});
