import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestInterface, type TestInterface } from "../testing/test-interface.ts";

let server: TestInterface;
let node: string;

beforeAll(async () => {
  server = await startTestInterface();
  node = (await ask("POST", "/db/data/node", { accept: "*/*" })).headers.get("location") ?? "";
});
afterAll(() => server.close());

async function ask(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const response = await fetch(url.startsWith("http") ? url : server.baseUrl + url, {
    method,
    redirect: "manual",
    headers,
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Measured on a 2.3 server. */
describe("what a client accepts (graph-http §1)", () => {
  const json = "application/json; charset=UTF-8";

  it.each([
    ["application/json", json],
    ["application/json; charset=utf-8", json],
    ["application/json;stream=true", json],
    ["application/json; charset=UTF-8; stream=true", `${json}; stream=true`],
    ["application/json;compact=true;stream=true", json],
    ["*/*,application/json;compact=true", `${json}; compact=true`],
    ["*/*;q=0.1,text/html", "text/html; charset=UTF-8"],
    ["text/html;charset=utf-8", json],
    ["application/json;q=0.1,text/html", "text/html; charset=UTF-8"],
    ["application/xml", json],
  ])("%s is answered with %s", async (accept, contentType) => {
    expect((await ask("GET", node, { accept })).headers.get("content-type")).toBe(contentType);
  });

  it.each([
    ["true", "application/json", `${json}; stream=true`],
    ["TRUE", "application/json", `${json}; stream=true`],
    ["true", "text/html,application/json", `${json}; stream=true`],
    ["true", "application/json;compact=true", `${json}; stream=true`],
    ["true", "*/*", json],
    ["true", "application/*", json],
    ["yes", "application/json", json],
  ])("X-Stream: %s beside %s is answered with %s", async (stream, accept, contentType) => {
    const { headers } = await ask("GET", node, { accept, "x-stream": stream });
    expect(headers.get("content-type")).toBe(contentType);
  });

  it.each([
    ["/", "application/json;compact=true", 406, 'Cannot represent "discovery" as compactJson'],
    ["/db/manage/server/version", "text/html", 406, ""],
    ["/db/data/", "application/x-www-form-urlencoded", 406, 'Cannot represent "graphdb" as form'],
    ["/db/data/", "a/b;q=2", 400, 'The HTTP header field "Accept" with value "a/b;q=2" could not be parsed.'],
    ["/db/data/", "a/b,,c/d", 400, 'The HTTP header field "Accept" with value "a/b,,c/d" could not be parsed.'],
    ["/db/manage/server/jmx/kernelquery", "application/xml", 406, ""],
  ])("%s has nothing for %s", async (path, accept, status, text) => {
    const answer = await ask("GET", path, { accept });
    expect([answer.status, answer.text]).toEqual([status, text]);
  });

  it("refuses in the type that is wanted most", async () => {
    const { status, headers } = await ask("GET", "/db/data/labels", { accept: "application/xml, text/html" });
    expect([status, headers.get("content-type")]).toEqual([406, "application/xml"]);
  });

  it.each([
    ["*", 200],
    ['a/b;c="x;y";q=0.5, text/*;q=1.000;;', 200],
    ["a/b;q=0.1234", 400],
    ["a b/c", 400],
  ])("Accept: %s is answered with %d", async (accept, status) => {
    expect((await ask("GET", "/db/data/labels", { accept })).status).toBe(status);
  });

  it("shows the nodes of a traversal as a page", async () => {
    const { status, headers } = await ask(
      "POST",
      `${node}/traverse/node`,
      { accept: "text/html", "content-type": "application/json" },
      "{}",
    );
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
  });
});

describe("the methods of a path (graph-http §10)", () => {
  it.each([
    ["/browser/", 200, "GET,POST,HEAD,OPTIONS"],
    ["/browser/nope", 200, "GET,POST,HEAD,OPTIONS"],
    ["/webadmin/", 200, "GET,POST,HEAD,OPTIONS"],
    ["/webadmin/nope", 200, "GET,POST,HEAD,OPTIONS"],
    ["/db/data/transaction/1", 204, "POST,DELETE,OPTIONS"],
    ["/db/data/ext/x/graphdb/y", 204, "GET,POST,HEAD,OPTIONS"],
  ])("of %s are told", async (path, status, allow) => {
    const answer = await ask("OPTIONS", path, {});
    expect([answer.status, answer.headers.get("allow")]).toEqual([status, allow]);
  });

  it("of files are refused without being told", async () => {
    const { status, headers } = await ask("DELETE", "/browser/", {});
    expect([status, headers.get("allow"), headers.get("access-control-allow-origin")]).toEqual([405, null, null]);
  });

  it("of a transaction include the GET that is not told of", async () => {
    expect((await ask("GET", "/db/data/transaction/99999", { accept: "application/json" })).text).toContain(
      "UnknownId",
    );
    expect((await ask("POST", "/db/data/transaction/-1", {}, "")).text).toContain("UnknownId");
  });
});

describe("constraints that there are not", () => {
  it.each([
    ["/db/data/schema/constraint/L/uniqueness/p", "Constraint with label L for properties [p] does not exist"],
    ["/db/data/schema/constraint/L/existence/p", "Constraint with label L for properties [p] does not exist"],
    [
      "/db/data/schema/relationship/constraint/T/existence/p",
      "Constraint with relationship type T for properties [p] does not exist",
    ],
  ])("%s says so", async (path, message) => {
    const { status, text } = await ask("GET", path, { accept: "application/json" });
    expect([status, JSON.parse(text)]).toMatchObject([404, { exception: "IllegalArgumentException", message }]);
  });

  it.each([
    ["{}", "text/plain", "InvalidArgumentsException"],
    ["{}", "application/json", "BadInputException"],
    ["", "application/x-www-form-urlencoded", "IllegalArgumentException"],
    ['{"property_keys":["",null]}', "application/json", "UnsupportedOperationException"],
  ])("are not made of %s as %s", async (body, contentType, exception) => {
    const headers = { accept: "application/json", "content-type": contentType };
    const { status, text } = await ask("POST", "/db/data/schema/constraint/L/uniqueness", headers, body);
    expect([status, JSON.parse(text).exception]).toEqual([400, exception]);
  });

  it("of relationships are none", async () => {
    const path = "/db/data/schema/relationship/constraint/T/existence";
    expect((await ask("DELETE", `${path}/p`, {})).status).toBe(404);
    expect((await ask("GET", path, { accept: "application/json" })).text).toBe("[ ]");
  });
});

describe("what a body says it is (graph-http §1)", () => {
  it.each([
    ["text/plain", '{"a":1}', 201],
    ["text/plain", '{"a":1', 415],
    ["text/plain", "[1]", 415],
    ["json", '{"a":1}', 400],
    ["application/json, text/plain", '{"a":1}', 400],
    ["application/json;", '{"a":1}', 201],
    ["*/*", '{"a":1', 415],
    ["text/html", '{"a":1}', 415],
    ["application/json", "[1]", 400],
    ["application/json;stream=true", '{"a":1', 400],
    ["application/x-www-form-urlencoded", "a=1&b=2&a=3&", 201],
    ["application/x-www-form-urlencoded", "a", 400],
    ["application/x-www-form-urlencoded", "a=", 400],
  ])("%s: a node of %s is answered with %d", async (contentType, body, status) => {
    const answer = await ask(
      "POST",
      "/db/data/node",
      { accept: "application/json", "content-type": contentType },
      body,
    );
    expect(answer.status).toBe(status);
  });

  it("names that come more than once in a form make a list", async () => {
    const headers = { accept: "application/json;compact=true", "content-type": "application/x-www-form-urlencoded" };
    expect(JSON.parse((await ask("POST", "/db/data/node", headers, "a=1&b=2&a=3")).text)).toMatchObject({
      data: { a: ["1", "3"], b: "2" },
    });
  });

  it.each([
    ["text/plain", undefined, "text/plain"],
    ["text/plain", "application/xml", "application/xml"],
    ["text/plain", "garbage", "application/octet-stream"],
    ["text/plain", "text/*", "text/plain"],
    ["text/plain", "application/json;q=0.5", "application/json"],
  ])("the refusal of %s has a type that the client accepts: %s", async (contentType, accept, expected) => {
    const headers = { "content-type": contentType, accept: accept ?? "*/*" };
    const answer = await ask("POST", "/db/data/node", headers, "{");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([415, expected]);
    expect(answer.text).toContain("Request format: text/plain\nSupported representation formats:");
  });

  it.each([
    ["POST", "/db/data/index/node", '{"name":"i"}'],
    ["POST", "/db/data/index/node/i", '{"key":"k","value":"v"}'],
    ["DELETE", "/db/data/index/node/i", ""],
    ["POST", "/db/manage/server/jmx/query", '["org.neo4j:*"]'],
    ["PUT", "/db/data/relationship/0/properties", "{}"],
  ])("%s %s takes JSON and nothing else", async (method, path, body) => {
    const answer = await ask(method, path, { accept: "application/json", "content-type": "text/plain" }, body);
    expect([answer.status, answer.text]).toEqual([415, ""]);
  });
});

describe("jobs of a batch (graph-http §7)", () => {
  const post = (body: string, more: Record<string, string> = {}): ReturnType<typeof ask> =>
    ask("POST", "/db/data/batch", { accept: "application/json", "content-type": "application/json", ...more }, body);
  const job = '{"method":"POST","to":"/node"}';

  it.each([
    ["false", 0],
    ['"null"', 0],
    [job, 1],
    [`[[${job}],1,[[${job}]]]`, 2],
  ])("are all objects of %s", async (body, count) => {
    const { status, text } = await post(body);
    expect([status, (JSON.parse(text) as unknown[]).length]).toEqual([200, count]);
  });

  it.each([
    ["{2}", "Illegal character in path at index 2: ./{2}"],
    ["/node/{2}", "Illegal character in path at index 7: ./node/{2}"],
    ["/node?a=b c", "Illegal character in query at index 10: ./node?a=b c"],
    ["/node/1#x{", "Illegal character in fragment at index 10: ./node/1#x{"],
    ["/node[1]", "Illegal character in path at index 6: ./node[1]"],
    ["/node%zz", "Malformed escape pair at index 6: ./node%zz"],
  ])("have addresses, which %s is not", async (to, message) => {
    const { status, text } = await post(JSON.stringify([{ method: "GET", to }]));
    expect(status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ exception: "IllegalArgumentException", message });
  });

  it.each([{ "x-stream": "TRUE" }, { accept: "application/json;stream=true" }])(
    "are streamed for %j",
    async (headers) => {
      const { text } = await post(`[${job}]`, headers);
      expect(JSON.parse(text)).toMatchObject([{ from: "/node", status: 201 }]);
    },
  );

  it("a stream ends where the body stops being JSON, and nothing of it stays", async () => {
    const before = server.store.statistics.nodeCount;
    const { status, text } = await post(`[${job}`, { "x-stream": "true" });
    expect([status, text.startsWith('[{"from":"/node","body":{'), text.endsWith('"status":201}')]).toEqual([
      200,
      true,
      true,
    ]);
    expect(server.store.statistics.nodeCount).toBe(before);
    expect((await post(`[${job}`)).status).toBe(500);
  });
});

describe("wrong types at the legacy endpoint (graph-http §5)", () => {
  it.each([
    ["RETURN {v} - 1", "BadInputException"],
    ["RETURN DISTINCT 1 - {v}", "BadInputException"],
    ["RETURN any(x IN [1] WHERE {v})", "BadInputException"],
    ["RETURN sum({v})", "CypherTypeException"],
    ["UNWIND [1] AS x RETURN x - {v} AS y ORDER BY y", "CypherTypeException"],
    ["CREATE (n) SET n = {v}", "CypherTypeException"],
  ])("%s: %s, as they are met among rows or before the first", async (query, exception) => {
    const headers = { accept: "application/json", "content-type": "application/json" };
    const body = JSON.stringify({ query: `CYPHER 2.3 ${query}`, params: { v: "a" } });
    expect(JSON.parse((await ask("POST", "/db/data/cypher", headers, body)).text)).toMatchObject({ exception });
  });

  it("CREATE UNIQUE that finds several has an exception of its own, and that of its language as cause", async () => {
    const headers = { accept: "application/json", "content-type": "application/json" };
    const query = "CYPHER 2.3 CREATE (a)-[:R]->(b), (a)-[:R]->(b) CREATE UNIQUE (a)-[r:R]->(b)";
    const { status, text } = await ask("POST", "/db/data/cypher", headers, JSON.stringify({ query }));
    const exception = "UniquePathNotUniqueException";
    const cause = { exception, fullname: `org.neo4j.cypher.internal.frontend.v2_3.${exception}` };
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      { exception, fullname: `org.neo4j.cypher.${exception}`, cause },
    ]);
  });
});
