import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestInterface, type TestInterface } from "../testing/test-interface.ts";

let server: TestInterface;
/** Node addresses by name: a -K-> b -K-> c -L-> d, a -L-> d, c -K-> a. */
const nodes: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestInterface();
  for (const name of ["a", "b", "c", "d"]) {
    nodes[name] = (await post(`${server.baseUrl}/db/data/node`, { name })).json.self;
  }
  for (const [start, type, end, cost] of [
    ["a", "K", "b", 1],
    ["b", "K", "c", 1],
    ["c", "L", "d", 1],
    ["a", "L", "d", 9],
    ["c", "K", "a", 1],
  ] as const) {
    await post(`${nodes[start]}/relationships`, { to: nodes[end], type, data: { cost } });
  }
});
afterAll(() => server.close());

async function post(url: string, body: unknown): Promise<{ status: number; json: ReturnType<typeof JSON.parse> }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, json: text.startsWith("<") || text === "" ? undefined : JSON.parse(text) };
}

const nameOf = (url: string): string => Object.keys(nodes).find((name) => nodes[name] === url) ?? "?";
const K_OUT = { type: "K", direction: "out" };
const ALL = { language: "builtin", name: "all" };

async function visited(description: object, start = "a"): Promise<string[]> {
  const { json } = await post(`${nodes[start]}/traverse/node`, description);
  return json.map(({ data }: { data: { name: string } }) => data.name);
}

describe("traversals (graph-http §7)", () => {
  it.each([
    [{ return_filter: { language: "builtin", name: "x" } }, "Unrecognized return evaluator name 'x'"],
    [{ prune_evaluator: { language: "builtin", name: "all" } }, "Unrecognized prune evaluator name 'all'"],
    [{ uniqueness: { name: "node_recent", value: -1 } }, "The value of a uniqueness is a number above 0."],
    [{ relationships: 5 }, "java.lang.Integer cannot be cast to java.util.Map"],
  ])("are refused with what is wrong: %j", async (description, message) => {
    expect(await post(`${nodes["a"]}/traverse/node`, description)).toMatchObject({ status: 400, json: { message } });
  });

  it("take the whole part of a depth, and a type once", async () => {
    expect(await visited({ max_depth: 1.9, relationships: [K_OUT, K_OUT], uniqueness: "none" })).toEqual(["b"]);
  });

  it("go one step from the start without it, unless told otherwise", async () => {
    expect((await visited({})).toSorted()).toEqual(["b", "c", "d"]);
    expect(await visited({ relationships: K_OUT })).toEqual(["b"]);
    expect(await visited({ max_depth: 0, return_filter: ALL })).toEqual(["a"]);
  });

  it.each([
    [{ order: "", relationships: { type: "K", direction: "" }, uniqueness: "" }, ["b", "c"]],
    [{ return_filter: { language: "builtin", name: "ALL" }, relationships: K_OUT }, ["a", "b"]],
    [{ max_depth: 4_294_967_297, relationships: K_OUT }, ["b"]],
    [{ max_depth: 2_147_483_648, relationships: K_OUT }, []],
  ])("read %j as the model server does", async (description, names) => {
    expect((await visited(description)).toSorted()).toEqual(names);
  });

  it("take the youngest relationship first", async () => {
    expect(await visited({})).toEqual(["c", "d", "b"]);
  });

  it("are described before they begin", async () => {
    expect((await post(`${server.baseUrl}/db/data/node/99999/traverse/node`, [1])).status).toBe(400);
    expect((await post(`${server.baseUrl}/db/data/node/99999/traverse/node`, {})).status).toBe(404);
    expect((await post(`${nodes["a"]}/traverse/node`, null)).status).toBe(400);
    expect((await post(`${nodes["a"]}/paged/traverse/node?pageSize=`, {})).status).toBe(201);
  });

  it("follow order and depth", async () => {
    expect(await visited({ relationships: K_OUT, max_depth: 3, return_filter: ALL })).toEqual(["a", "b", "c"]);
    const breadth = { order: "breadth_first", prune_evaluator: { language: "builtin", name: "none" } };
    expect((await visited({ ...breadth, relationships: [K_OUT, { type: "L", direction: "out" }] })).at(-1)).toBe("c");
  });

  it.each([
    ["none", ["b", "c", "a", "b"]],
    ["node_path", ["b", "c"]],
    ["relationship path", ["b", "c", "a"]],
    ["NODE_GLOBAL", ["b", "c"]],
    ["relationship_global", ["b", "c", "a"]],
    ["node_level", ["b", "c", "a", "b"]],
    ["relationship_level", ["b", "c", "a", "b"]],
  ])("keep uniqueness %s", async (uniqueness, names) => {
    const filter = { language: "builtin", name: "all_but_start_node" };
    const found = await visited({ relationships: K_OUT, max_depth: 4, uniqueness, return_filter: filter });
    expect(found).toEqual(names);
  });

  it("return relationships and paths", async () => {
    const relationships = await post(`${nodes["a"]}/traverse/relationship`, { relationships: K_OUT });
    expect(relationships.json).toMatchObject([{ type: "K", start: nodes["a"], end: nodes["b"] }]);
    const full = await post(`${nodes["b"]}/traverse/fullpath`, { relationships: { type: "K", direction: "in" } });
    expect(full.json[0]).toMatchObject({ length: 1, start: { data: { name: "b" } }, end: { data: { name: "a" } } });
    expect((await post(`${nodes["a"]}/traverse/nope`, {})).status).toBe(404);
  });

  it.each([
    [{ order: "sideways" }, 400],
    [{ uniqueness: "constructor" }, 400],
    [{ relationships: { type: "K", direction: "both" } }, 400],
    [{ return_filter: { language: "javascript", body: "true" } }, 400],
    [{ max_depth: "x" }, 400],
  ])("refuse %j", async (description, status) => {
    expect((await post(`${nodes["a"]}/traverse/node`, description)).status).toBe(status);
  });
});

describe("paths", () => {
  const to = (name: string, more: object): object => ({ to: nodes[name], max_depth: 5, ...more });
  const names = (path: { nodes: string[] }): string => path.nodes.map(nameOf).join("");

  it("shortest, simple, all and cheapest", async () => {
    expect(names((await post(`${nodes["a"]}/path`, to("d", {}))).json)).toBe("ad");
    const simple = await post(`${nodes["a"]}/paths`, to("d", { algorithm: "allSimplePaths" }));
    expect(simple.json.map(names)).toEqual(["ad", "acd", "abcd"]);
    const all = await post(`${nodes["a"]}/paths`, to("d", { algorithm: "allPaths" }));
    expect(all.json.map(names).toSorted()).toEqual(["abcad", "abcd", "acbad", "acd", "ad"]);
    const cheapest = await post(`${nodes["a"]}/path`, to("d", { algorithm: "dijkstra", cost_property: "cost" }));
    expect([names(cheapest.json), cheapest.json.weight, cheapest.json.directions]).toEqual(["acd", 2, ["<-", "->"]]);
  });

  it("none at all", async () => {
    const search = to("d", { relationships: K_OUT });
    expect((await post(`${nodes["a"]}/path`, search)).status).toBe(404);
    expect((await post(`${nodes["a"]}/paths`, search)).json).toEqual([]);
    expect((await post(`${nodes["a"]}/path`, to("d", { algorithm: "foo" }))).status).toBe(400);
    const dijkstra = { algorithm: "dijkstra" };
    expect((await post(`${nodes["a"]}/paths`, to("d", dijkstra))).status).toBe(400);
    expect((await post(`${nodes["a"]}/paths`, to("d", { ...dijkstra, relationships: { type: "X" } }))).json).toEqual(
      [],
    );
  });
});
