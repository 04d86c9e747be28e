import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestInterface, type TestInterface } from "../testing/test-interface.ts";

let server: TestInterface;
let nodes: string[];

beforeEach(async () => {
  server = await startTestInterface({ scripting: true });
  nodes = [];
  for (let k = 0; k < 6; k++) {
    nodes.push((await call("POST", `${server.baseUrl}/db/data/node`, { k })).json.self);
    if (k > 0) {
      await call("POST", `${nodes[k - 1]}/relationships`, { to: nodes[k], type: "NEXT" });
    }
  }
});
afterEach(() => server.close());

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly json: ReturnType<typeof JSON.parse>;
}

async function call(method: string, url: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text.startsWith("<") || text === "" ? undefined : JSON.parse(text);
  return { status: response.status, location: response.headers.get("location") ?? "", json };
}

const begin = (query: string, description: object = { max_depth: 9 }): Promise<Answer> =>
  call("POST", `${nodes[0]}/paged/traverse/node${query}`, description);
const keys = ({ json }: Answer): number[] => json.map(({ data }: { data: { k: number } }) => data.k);

describe("paged traversals (graph-http §7)", () => {
  it("give a page at a time, then are gone", async () => {
    const first = await begin("?pageSize=2");
    expect(first.status).toBe(201);
    expect(keys(first)).toEqual([1, 2]);
    expect(first.location).toMatch(/\/db\/data\/node\/\d+\/paged\/traverse\/node\/[\da-f]{32}$/);
    expect(keys(await call("GET", first.location))).toEqual([3, 4]);
    expect(keys(await call("GET", first.location))).toEqual([5]);
    const over = await call("GET", first.location);
    expect(over.status).toBe(404);
    expect(over.json.message).toContain("fully enumerated");
    expect((await call("GET", first.location)).json.message).toContain("was not found");
  });

  it("carry scripts from page to page", async () => {
    const odd = { return_filter: { language: "javascript", body: "position.length() % 2 == 1" }, max_depth: 9 };
    const first = await begin("?pageSize=2", odd);
    expect(keys(first)).toEqual([1, 3]);
    expect(keys(await call("GET", first.location))).toEqual([5]);
  });

  it("live for their lease after each page", async () => {
    const { location } = await begin("?pageSize=1&leaseTime=10");
    server.clock.advance(9_000);
    expect((await call("GET", location)).status).toBe(200);
    server.clock.advance(9_000);
    expect((await call("GET", location)).status).toBe(200);
    server.clock.advance(11_000);
    expect((await call("GET", location)).status).toBe(404);
  });

  it("are ended by DELETE", async () => {
    const { location } = await begin("?pageSize=1");
    expect((await call("DELETE", location)).status).toBe(200);
    expect((await call("DELETE", location)).status).toBe(404);
    expect((await call("GET", location)).status).toBe(404);
  });

  it("see what others have changed in between, and step over what is gone", async () => {
    const { location } = await begin("?pageSize=1");
    await call("POST", `${server.baseUrl}/db/data/cypher`, { query: "MATCH (n {k: 3})-[r]-() DELETE r, n" });
    expect(keys(await call("GET", location))).toEqual([2]);
    expect((await call("GET", location)).status).toBe(404);
  });

  it("refuse sizes and leases below one, and what is no number", async () => {
    expect((await begin("?pageSize=0")).json.message).toBe("Page size less than 1 is not permitted");
    expect((await begin("?leaseTime=0")).status).toBe(400);
    expect((await begin("?pageSize=x")).status).toBe(404);
    expect((await call("POST", `${nodes[0]}/paged/traverse/nothing`, {})).status).toBe(404);
    expect((await call("POST", `${server.baseUrl}/db/data/node/9999/paged/traverse/node`, {})).status).toBe(404);
  });
});
