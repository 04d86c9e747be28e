import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestInterface, type TestInterface } from "../../testing/test-interface.ts";

let server: TestInterface;
let start: string;

beforeAll(async () => {
  server = await startTestInterface({ scripting: true });
  let last = "";
  for (let k = 0; k < 5; k++) {
    const self = (await post(`${server.baseUrl}/db/data/node`, { k, name: `Name ${k}` })).json.self as string;
    if (k === 0) {
      start = self;
    } else {
      await post(`${last}/relationships`, { to: self, type: "NEXT", data: { weight: k } });
    }
    last = self;
  }
});
afterAll(() => server.close());

async function post(url: string, body: unknown): Promise<{ status: number; json: ReturnType<typeof JSON.parse> }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
}

const script = (body: string): object => ({ language: "javascript", body });

async function visited(filter: string, prune = "false"): Promise<number[]> {
  const { status, json } = await post(`${start}/traverse/node`, {
    return_filter: script(filter),
    prune_evaluator: script(prune),
  });
  expect(status, JSON.stringify(json)).toBe(200);
  return json.map(({ data }: { data: { k: number } }) => data.k);
}

async function failure(body: string): Promise<string> {
  const { status, json } = await post(`${start}/traverse/node`, { return_filter: script(body), max_depth: 9 });
  expect(status).toBe(400);
  expect(json.exception).toBe("EvaluationException");
  return `${json.errors[0].code} ${json.message} ${json.cause?.message ?? ""}`;
}

describe("scripts in traversals (graph-http §7)", () => {
  it("see the way, its nodes and its relationships", async () => {
    expect(await visited("true")).toEqual([0, 1, 2, 3, 4]);
    expect(await visited("position.length() == 2;")).toEqual([2]);
    expect(await visited('position.endNode().getProperty("k") > 2')).toEqual([3, 4]);
    expect(await visited('position.endNode().getProperty("nope", "x") === "x"')).toEqual([0, 1, 2, 3, 4]);
    expect(await visited('position.endNode().getProperty("name").toLowerCase().contains("e 3")')).toEqual([3]);
    expect(await visited("position.lastRelationship() == null")).toEqual([0]);
    expect(
      await visited('position.length() > 0 && position.lastRelationship().getType().name() == "NEXT"'),
    ).toHaveLength(4);
    expect(
      await visited("position.relationships().every(function (r) { return r.getProperty('weight') < 3 })"),
    ).toEqual([0, 1, 2]);
    expect(await visited("var far = position.length(); far > 3")).toEqual([4]);
  });

  it("keep the traversal from going on", async () => {
    expect(await visited("true", "position.length() >= 2")).toEqual([0, 1, 2]);
  });

  it("are refused when they fail, say neither yes nor no, or are no JavaScript", async () => {
    expect(await failure("1")).toContain("did not return a boolean");
    expect(await failure("")).toContain("did not return a boolean");
    expect(await failure("foo.bar")).toContain("ReferenceError");
    expect(await failure('position.endNode().getProperty("nope")')).toMatch(
      /NoSuchProperty .*has no property with propertyKey="nope"/,
    );
    expect(await failure("return ] true")).toContain("SyntaxError");
  });

  it("have limits on time, memory and stack", async () => {
    expect(await failure("while (true) {}")).toContain("longer than this server allows");
    expect(await failure("var all = []; while (true) { all.push(new Array(10000).fill(7)); }")).toMatch(
      /memory|longer/,
    );
    expect(await failure("(function deep() { return deep() + 1; })()")).toMatch(/stack|overflow/i);
  });

  it.each(["process", "require", "globalThis.fetch", "import.meta", "setTimeout", "__ask", "std", "os"])(
    "have no %s",
    async (name) => {
      await failure(`typeof (${name}) === "undefined" ? (function () { throw new Error("absent") })() : true`);
    },
  );

  it("do not reach each other's requests", async () => {
    expect(await visited("globalThis.kept = 1; true")).toHaveLength(5);
    expect(await visited("typeof globalThis.kept === 'undefined'")).toHaveLength(5);
  });
});

describe("without graph.scripting", () => {
  it("are refused", async () => {
    const other = await startTestInterface();
    try {
      const { json } = await post(`${other.baseUrl}/db/data/node`, {});
      const refused = await post(`${json.self}/traverse/node`, { return_filter: script("true") });
      expect(refused.status).toBe(400);
      expect(refused.json.message).toContain("graph.scripting");
    } finally {
      await other.close();
    }
  });
});
