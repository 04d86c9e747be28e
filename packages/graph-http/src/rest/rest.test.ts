import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestInterface, type TestInterface } from "../testing/test-interface.ts";

let server: TestInterface;
let data: string;

beforeEach(async () => {
  server = await startTestInterface();
  data = `${server.baseUrl}/db/data`;
});
afterEach(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined when the body is no JSON. */
  readonly json: ReturnType<typeof JSON.parse>;
}

async function call(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url.startsWith("http") ? url : data + url, {
    method,
    redirect: "manual",
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

const createNode = async (properties: object = {}): Promise<string> =>
  (await call("POST", "/node", properties)).json.self as string;

describe("nodes (graph-http §6, §7)", () => {
  it("creates, shows and deletes one", async () => {
    const created = await call("POST", "/node", '{"a":1,"b":[1.0,2.5],"c":9007199254740993,"😀":true}');
    expect(created.status).toBe(201);
    const self = created.headers.get("location")!;
    expect(self).toBe(`${data}/node/${created.json.metadata.id}`);
    expect(created.headers.get("content-type")).toBe("application/json; charset=UTF-8");
    expect(created.headers.get("access-control-allow-origin")).toBe("*");
    const shown = await call("GET", self);
    expect(shown.text).toBe(created.text);
    expect(shown.text).toContain('"b" : [ 1.0, 2.5 ]');
    expect(shown.text).toContain('"c" : 9007199254740993');
    expect(shown.text).toContain(String.raw`"\uD83D\uDE00" : true`);
    expect(shown.json).toMatchObject({
      extensions: {},
      self,
      labels: `${self}/labels`,
      property: `${self}/properties/{key}`,
      paged_traverse: `${self}/paged/traverse/{returnType}{?pageSize,leaseTime}`,
      metadata: { labels: [] },
    });
    expect((await call("DELETE", self)).status).toBe(204);
    expect(await call("GET", self)).toMatchObject({
      status: 404,
      json: {
        exception: "NodeNotFoundException",
        fullname: "org.neo4j.server.rest.web.NodeNotFoundException",
        errors: [{ code: "Graph.ClientError.Statement.EntityNotFound" }],
      },
    });
  });

  it.each(['{"a":[1,2.5]}', '{"a":[1,"x"],"b":null}', '{"a":["x",{}]}'])(
    "refuses lists of several kinds: %s",
    async (body) => {
      const { status, headers, text } = await call("POST", "/node", body);
      expect([status, headers.get("content-type"), text]).toEqual([
        400,
        "text/plain",
        `Invalid JSON array in POST body: ${body}`,
      ]);
      const jobs = [{ method: "POST", to: "/node", body: JSON.parse(body) as unknown, id: 0 }];
      const [job] = (await call("POST", "/batch", jobs, { "x-stream": "true" })).json;
      expect([job.status, job.body, job.message]).toEqual([400, null, `Invalid JSON array in POST body: ${body}`]);
    },
  );

  it("look for what is missing before values are judged, but not before what can never be one", async () => {
    expect((await call("PUT", "/node/99999/properties", { a: {} })).status).toBe(404);
    expect((await call("PUT", "/node/99999/properties/a", [1, "x"])).status).toBe(404);
    expect((await call("PUT", "/node/99999/properties/a", {})).status).toBe(400);
    const to = `${data}/node/99999`;
    expect((await call("POST", "/node/99999/relationships", { to, type: "T", data: { a: {} } })).status).toBe(404);
  });

  it.each([
    [{ a: null }, 'Could not set property "a", unsupported type: null'],
    [{ a: { b: 1 } }, 'Could not set property "a", unsupported type: {b=1}'],
    [{ a: [] }, /^Unable to set property 'a' to an empty array/],
    ['{"a":123456789012345678901234567890}', /^Could not set property "a"/],
    ['{"a":[[1]]}', /^Could not set property "a"/],
  ])("refuses %j", async (properties, message) => {
    const { status, json } = await call("POST", "/node", properties);
    expect([status, json.exception]).toEqual([400, "PropertyValueException"]);
    expect(json.message).toMatch(message);
    expect(json.errors[0].code).toBe("Graph.ClientError.Statement.InvalidArguments");
  });

  it("refuses what is no JSON, and takes a missing type for none at all", async () => {
    expect(await call("POST", "/node", "hello")).toMatchObject({
      status: 400,
      json: { exception: "BadInputException" },
    });
    const response = await fetch(`${data}/node`, { method: "POST", body: Buffer.from("hello") });
    expect(response.status).toBe(415);
    expect(await response.text()).toMatch(/^No matching representation format found\./);
  });

  it("takes a form for properties", async () => {
    const { status, json } = await call("POST", "/node", "a=1", {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect([status, json.data]).toEqual([201, { a: "1" }]);
  });

  it("keeps a connected node", async () => {
    const [a, b] = [await createNode(), await createNode()];
    await call("POST", `${a}/relationships`, { to: b, type: "T" });
    expect(await call("DELETE", a)).toMatchObject({
      status: 409,
      json: {
        exception: "ConstraintViolationException",
        errors: [{ code: "Graph.ClientError.Schema.ConstraintViolation" }],
      },
    });
  });
});

describe("properties", () => {
  it("are read, replaced and removed, all and one by one", async () => {
    const node = await createNode({ a: 1, b: "x" });
    expect((await call("GET", `${node}/properties`)).json).toEqual({ a: 1, b: "x" });
    expect((await call("PUT", `${node}/properties/c`, "1.0")).status).toBe(204);
    expect((await call("GET", `${node}/properties/c`)).text).toBe("1.0");
    expect((await call("PUT", `${node}/properties`, { d: [] })).status).toBe(400);
    expect((await call("PUT", `${node}/properties`, { d: [1] })).status).toBe(204);
    expect((await call("PUT", `${node}/properties/d`, "[]")).status).toBe(204);
    expect((await call("GET", `${node}/properties/`)).json).toEqual({ d: [] });
    expect((await call("DELETE", `${node}/properties/nope`)).json.exception).toBe("NoSuchPropertyException");
    expect((await call("DELETE", `${node}/properties`)).status).toBe(204);
    expect((await call("GET", `${node}/properties`)).text).toBe("{ }");
  });

  it("take lists of small and large integers", async () => {
    expect((await call("POST", "/node", { l: [1, 2_147_483_648] })).json.data).toEqual({ l: [1, 2_147_483_648] });
  });

  it("keep an empty list where a list was, and nowhere else", async () => {
    const node = await createNode({ l: [1, 2] });
    expect((await call("PUT", `${node}/properties`, { l: [], m: [] })).status).toBe(400);
    expect((await call("PUT", `${node}/properties`, { l: [] })).status).toBe(204);
    expect((await call("GET", `${node}/properties`)).json).toEqual({ l: [] });
  });

  it("have the names that are before a semicolon in the path", async () => {
    const node = await createNode();
    await call("PUT", `${node};x=1/properties/a;b`, "1");
    await call("PUT", `${node}/properties/c%3Bd`, "2");
    await call("PUT", `${node}/properties/%E9`, "3");
    expect((await call("GET", `${node}/properties`)).json).toEqual({ a: 1, "c;d": 2, "\ufffd": 3 });
  });

  it("are found by numbers as they are written elsewhere", async () => {
    const { json } = await call("GET", "/node/+99999/properties");
    expect(json.message).toBe("Cannot find node with id [99999] in database.");
  });

  it("refuse null", async () => {
    expect((await call("PUT", `${await createNode()}/properties/a`, "null")).json.message).toBe(
      "null value not supported",
    );
  });
});

describe("relationships", () => {
  it("are created, shown, listed, counted and deleted", async () => {
    const [a, b] = [await createNode(), await createNode()];
    const created = await call("POST", `${a}/relationships`, { to: b, type: "KNOWS", data: { since: 1 } });
    expect(created.status).toBe(201);
    const self = created.headers.get("location")!;
    expect(created.json).toMatchObject({ self, start: a, end: b, type: "KNOWS", data: { since: 1 } });
    await call("POST", `${b}/relationships`, { to: a.split("/").at(-1), type: "LIKES" });
    const types = async (path: string): Promise<string[]> =>
      (await call("GET", a + path)).json.map((relationship: { type: string }) => relationship.type).toSorted();
    expect(await types("/relationships/all")).toEqual(["KNOWS", "LIKES"]);
    expect(await types("/relationships/in")).toEqual(["LIKES"]);
    expect(await types("/relationships/all/KNOWS%26LIKES")).toEqual(["KNOWS", "LIKES"]);
    expect(await types("/relationships/all/NOPE")).toEqual([]);
    expect(await types("/relationships/all/&")).toEqual(["KNOWS", "LIKES"]);
    expect((await call("GET", `${a}/degree/all`)).text).toBe("2");
    expect((await call("GET", `${a}/degree/out/LIKES&NOPE`)).text).toBe("0");
    expect((await call("GET", `${a}/relationships/both`)).status).toBe(404);
    expect((await call("GET", "/relationship/types")).json.toSorted()).toEqual(["KNOWS", "LIKES"]);
    expect((await call("DELETE", self)).status).toBe(204);
    expect((await call("GET", self)).json.exception).toBe("RelationshipNotFoundException");
    expect((await call("GET", "/relationship/types")).json).toEqual(["LIKES"]);
  });

  it("need both ends", async () => {
    const node = await createNode();
    expect(await call("POST", `${node}/relationships`, { to: "/node/99", type: "T" })).toMatchObject({
      status: 400,
      json: { exception: "EndNodeNotFoundException" },
    });
    expect(await call("POST", "/node/99/relationships", { to: node, type: "T" })).toMatchObject({
      status: 404,
      json: { exception: "StartNodeNotFoundException" },
    });
    expect((await call("POST", `${node}/relationships`, { to: `${node}/`, type: "T" })).json.message).toBe(
      'For input string: ""',
    );
  });
});

describe("labels", () => {
  it("are added, replaced, removed and searched", async () => {
    const node = await createNode({ name: "x", n: 1 });
    expect((await call("POST", `${node}/labels`, '"A"')).status).toBe(204);
    expect((await call("POST", `${node}/labels`, ["B", "C"])).status).toBe(204);
    expect((await call("DELETE", `${node}/labels/B`)).status).toBe(204);
    expect((await call("GET", `${node}/labels`)).json.toSorted()).toEqual(["A", "C"]);
    expect((await call("PUT", `${node}/labels`, ["D"])).status).toBe(204);
    expect((await call("GET", "/labels")).json).toEqual(["D"]);
    expect((await call("GET", "/labels?in_use=TRUE")).json).toEqual(["D"]);
    expect((await call("GET", "/labels?in_use=1")).json.toSorted()).toEqual(["A", "B", "C", "D"]);
    expect((await call("GET", "/labels?in_use=false")).json.toSorted()).toEqual(["A", "B", "C", "D"]);
    const found = async (query: string): Promise<unknown> => (await call("GET", `/label/D/nodes${query}`)).json?.length;
    expect(await found("")).toBe(1);
    expect(await found("?name=%22x%22")).toBe(1);
    expect(await found("?n=1.0")).toBe(1);
    expect(await found("?name=%22y%22")).toBe(0);
    expect(await found("?name=")).toBe(0);
    expect(await found("?n=1&n=2&=x")).toBe(1);
    expect(await found("?n=1%20x")).toBe(1);
    expect((await call("GET", "/label/D/nodes?name=x")).status).toBe(415);
    expect((await call("GET", "/label/D/nodes?name=%7B%7D")).status).toBe(415);
    await call("PUT", `${node}/properties/l`, [1, 2]);
    expect(await found("?l=%5B1.0%2C2.0%5D")).toBe(1);
    expect((await call("GET", "/propertykeys")).json.toSorted()).toEqual(["l", "n", "name"]);
  });

  it.each([
    ["POST", '["X",""]', "Unable to add label, see nested exception."],
    ["PUT", '["X",null]', "Unable to add label, see nested exception."],
    ["PUT", '"A"', "Input must be an array of Strings. Got: 'A'"],
    ["POST", "null", "null value not supported"],
    ["POST", "1", "Label name must be a string. Got: '1'"],
  ])("%s refuses %s and changes nothing", async (method, body, message) => {
    const node = await createNode();
    const { status, json } = await call(method, `${node}/labels`, body);
    expect([status, json.message]).toEqual([400, message]);
    expect((await call("GET", `${node}/labels`)).json).toEqual([]);
  });
});

describe("nodes that are not there", () => {
  it("come before labels that are none", async () => {
    expect((await call("POST", "/node/99999/labels", [1])).status).toBe(404);
    expect((await call("POST", "/node/99999/labels", "1")).status).toBe(400);
  });
});

describe("what surrounds them", () => {
  it("redirects to roots and names every address", async () => {
    const redirect = await call("GET", data);
    expect([redirect.status, redirect.headers.get("location")]).toEqual([302, `${data}/`]);
    const root = await call("GET", `${data}/`);
    expect(root.json).toMatchObject({
      node: `${data}/node`,
      transaction: `${data}/transaction`,
      neo4j_version: "2.3.12",
    });
    expect((await call("GET", `${data}//`)).status).toBe(404);
  });

  it("is browsable", async () => {
    const page = await call("GET", `${data}/`, undefined, { accept: "text/html" });
    expect(page.headers.get("content-type")).toBe("text/html; charset=UTF-8");
    expect(page.text).toContain(`<a href="${data}/transaction">`);
    const node = await createNode({ text: "<script>" });
    expect((await call("GET", node, undefined, { accept: "text/html" })).text).not.toContain("<script>");
    expect((await call("GET", `${node}/properties`, undefined, { accept: "text/html" })).status).toBe(406);
  });

  it("has no plugins for what there is, and tells what there is not", async () => {
    const plugin = "/ext/Some/node/99999/run";
    expect((await call("GET", plugin)).json.exception).toBe("PluginLookupException");
    expect((await call("POST", plugin, {})).json.exception).toBe("NodeNotFoundException");
    const relationship = await call("POST", "/ext/Some/relationship/99999/run", {});
    expect(relationship.json.exception).toBe("RelationshipNotFoundException");
  });

  it("answers what is not served with a page", async () => {
    const { status, headers, text } = await call("GET", "/nope");
    expect(status).toBe(404);
    expect(headers.get("content-type")).toMatch(/^text\/html/);
    expect(text).toContain("Not Found");
  });

  it("answers methods that are not served with what is", async () => {
    const { status, headers } = await call("PUT", await createNode(), {});
    expect(status).toBe(405);
    expect(headers.get("allow")!.split(",").toSorted()).toEqual(["DELETE", "GET", "HEAD", "OPTIONS"]);
    expect((await call("OPTIONS", "/transaction/commit")).headers.get("allow")).toBe("POST,OPTIONS");
  });

  it("offers compact entities and streamed answers", async () => {
    const node = await createNode({ a: 1 });
    expect((await call("GET", node, undefined, { accept: "application/json;compact=true" })).json).toEqual({
      self: node,
      data: { a: 1 },
    });
    const streamed = await call("GET", `${node}/properties`, undefined, { "x-stream": "true" });
    expect(streamed.headers.get("content-type")).toBe("application/json; charset=UTF-8; stream=true");
    expect(streamed.text).toBe('{"a":1}');
  });
});

describe("batch", () => {
  it("runs jobs in one transaction; later ones name what earlier ones made", async () => {
    const { status, json } = await call("POST", "/batch", [
      { method: "POST", to: "/node", id: 0, body: { n: "{0} {9}" } },
      { method: "POST", to: "/node", id: 1, body: { n: "{0}" } },
      { method: "POST", to: "{0}/relationships", id: 2, body: { to: "{1}", type: "T" } },
      { method: "PUT", to: "{2}/properties/x", body: 1 },
      { method: "GET", to: "{2}/properties", id: 3 },
    ]);
    expect(status).toBe(200);
    expect(json.map((entry: object) => Object.keys(entry))).toEqual([
      ["id", "location", "body", "from"],
      ["id", "location", "body", "from"],
      ["id", "location", "body", "from"],
      ["from"],
      ["id", "body", "from"],
    ]);
    expect(json[0].body.data).toEqual({ n: "{0} {9}" });
    expect(json[1].body.data).toEqual({ n: json[0].location });
    expect(json[4].body).toEqual({ x: 1 });
    expect((await call("GET", json[2].location)).status).toBe(200);
  });

  it("undoes everything when a job fails, and shows its answer", async () => {
    const jobs = [
      { method: "POST", to: "/node", id: 0 },
      { method: "GET", to: "/node/99999", id: 1 },
      { method: "POST", to: "/node", id: 2 },
    ];
    const whole = await call("POST", "/batch", jobs);
    expect([whole.status, whole.json.exception]).toEqual([500, "BatchOperationFailedException"]);
    expect(JSON.parse(whole.json.message).exception).toBe("NodeNotFoundException");
    const streamed = await call("POST", "/batch", jobs, { "x-stream": "true" });
    expect(streamed.json.map((entry: { status: number }) => entry.status)).toEqual([201, 404]);
    expect((await call("GET", streamed.json[0].location)).status).toBe(404);
  });

  it("runs batches as jobs, and asks paths for their heads and methods", async () => {
    const { json } = await call("POST", "/batch", [
      { method: "POST", to: "/batch", id: 1.5, body: [{ method: "POST", to: "/node", id: 7 }] },
      { method: "HEAD", to: "/labels", id: 2 },
      { method: "OPTIONS", to: "/labels", id: 3 },
    ]);
    expect(json[0]).toMatchObject({ id: 1, body: [{ id: 7, location: expect.stringContaining("/node/") }] });
    expect(json.slice(1)).toEqual([
      { id: 2, from: "/labels" },
      { id: 3, from: "/labels" },
    ]);
  });

  it.each([
    ['[{"method":"PUT","to":"/node","id":0}]', '[{"id":0,"from":"/node","body":'],
    ['[{"method":"GET","to":null,"id":0}]', '[{"id":0,"from":"null","body":null,"status":404}]'],
    ['[{"method":"POST","to":"/node","id":"a"}]', ""],
    ['[{"method":"POST","to":"/node","id":2147483648}]', ""],
  ])("streams as far as %s goes", async (body, expected) => {
    expect((await call("POST", "/batch", body, { "x-stream": "true" })).text).toBe(expected);
    expect((await call("POST", "/batch", body)).status).toBe(500);
  });

  it("tells of a schema that is changed where data was as a conflict", async () => {
    const jobs = [
      { method: "POST", to: "/node" },
      { method: "POST", to: "/schema/index/Late", body: { property_keys: ["p"] } },
    ];
    const { json } = await call("POST", "/batch", jobs, { "x-stream": "true" });
    expect(json[1]).toMatchObject({ status: 409, body: { exception: "ConstraintViolationException" } });
  });

  it.each([
    ["null", 200],
    ["", 200],
    ['[{"method":"POST","to":"/node"}] x', 500],
    ['["x"]', 200],
    ["{}", 500],
    ["hello", 500],
    ['[{"method":"GET","to":"/nope"}]', 500],
  ])("answers %s with %d", async (body, status) => {
    expect((await call("POST", "/batch", body)).status).toBe(status);
  });
});
