import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestInterface, type TestInterface } from "../testing/test-interface.ts";

describe("the format `meta`", () => {
  let server: TestInterface;
  beforeAll(async () => {
    server = await startTestInterface();
  });
  afterAll(() => server.close());

  async function metaOf(expression: string): Promise<unknown> {
    const statement = `CREATE (a:A {x: 1})-[r:R]->(b:B) WITH * RETURN ${expression} AS value`;
    const response = await fetch(`${server.baseUrl}/db/data/transaction/commit`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ statements: [{ statement, resultDataContents: ["row", "meta"] }] }),
    });
    const { results } = (await response.json()) as { results: { data: { meta: unknown[] }[] }[] };
    return results[0]?.data[0]?.meta[0];
  }

  const id = expect.stringMatching(/^\d+$/) as unknown;
  it.each([
    ["1", null],
    ["'text'", null],
    ["[1, 2]", null],
    ["a", { type: "node", id }],
    ["r", { type: "relationship", id }],
    ["properties(a)", { type: "map", entries: { x: null } }],
    ["[a, 1]", [{ type: "node", id }, null]],
    ["{k: [r]}", { type: "map", entries: { k: [{ type: "relationship", id }] } }],
    ["date('2015-11-20')", { type: "temporal" }],
    ["point({x: 1, y: 2})", { type: "point" }],
  ])("of %s", async (expression, meta) => {
    expect(await metaOf(expression)).toEqual(meta);
  });

  it("of a path lists what it walks over", async () => {
    const response = await fetch(`${server.baseUrl}/db/data/transaction/commit`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        statements: [
          { statement: "CREATE p = (:A)-[:R]->(:B)<-[:S]-(:C) RETURN p", resultDataContents: ["meta", "graph"] },
        ],
      }),
    });
    const { results } = (await response.json()) as {
      results: {
        data: {
          meta: { type: string; nodes: string[]; relationships: string[] }[];
          graph: { nodes: { id: string }[] };
        }[];
      }[];
    };
    const [row] = results[0]?.data ?? [];
    expect(row?.meta[0]?.type).toBe("path");
    expect(row?.meta[0]?.nodes).toEqual(row?.graph.nodes.map((node) => node.id));
    expect(row?.meta[0]?.relationships).toHaveLength(2);
  });
});
