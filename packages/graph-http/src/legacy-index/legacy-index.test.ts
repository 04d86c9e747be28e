import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestInterface, type TestInterface } from "../testing/test-interface.ts";

let server: TestInterface;

beforeEach(async () => {
  server = await startTestInterface();
});

afterEach(() => server.close());

interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly json: unknown;
}

async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${server.baseUrl}/db/data${path}`, {
    method,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  });
  const text = await answer.text();
  return {
    status: answer.status,
    location: answer.headers.get("location"),
    json: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text,
  };
}

async function createNode(properties: object = {}): Promise<string> {
  return (await ask("POST", "/node", properties)).location!;
}

const selves = (answer: Answer): string[] => (answer.json as { self: string }[]).map(({ self }) => self);

describe("legacy indexes over HTTP", () => {
  it("are made, listed, filled, asked and dropped", async () => {
    expect((await ask("GET", "/index/node")).status).toBe(204);
    expect(await ask("POST", "/index/node", { name: "a b" })).toMatchObject({
      status: 201,
      location: `${server.baseUrl}/db/data/index/node/a%20b/`,
    });
    const node = await createNode();
    const added = await ask("POST", "/index/node/a%20b", { key: "k", value: "v w", uri: node });
    expect(added.status).toBe(201);
    expect(added.location).toMatch(/\/index\/node\/a%20b\/k\/v%20w\/\d+$/);
    expect(selves(await ask("GET", "/index/node/a%20b/k/v%20w"))).toEqual([node]);
    expect(selves(await ask("GET", "/index/node/a%20b?query=k:v*"))).toEqual([node]);
    expect((await ask("DELETE", new URL(added.location!).pathname.replace("/db/data", ""))).status).toBe(204);
    expect(selves(await ask("GET", "/index/node/a%20b?query=*:*"))).toEqual([]);
    expect((await ask("DELETE", "/index/node/a%20b")).status).toBe(204);
    expect((await ask("GET", "/index/node/a%20b/k/v")).status).toBe(404);
  });

  it.each([
    [5, "5"],
    [true, "true"],
    [{ a: 1 }, "{a=1}"],
  ])("give what is made from the value %j alone its text", async (value, text) => {
    const refused = await ask("POST", "/index/node/i?uniqueness=get_or_create", { key: "k", value, uri: 1 });
    expect(refused).toMatchObject({ status: 400, json: { message: '"uri" should be a string' } });
    const made = await ask("POST", "/index/node/i?uniqueness=get_or_create", { key: "k", value });
    expect(made).toMatchObject({ status: 201, json: { data: { k: text } } });
  });

  it("lead to a relationship only when it was put in just now", async () => {
    const [start, end] = [await createNode(), await createNode()];
    const entry = { key: "k", value: "v", start, end, type: "T" };
    const answers = [
      await ask("POST", "/index/relationship/i?uniqueness=get_or_create", entry),
      await ask("POST", "/index/relationship/i?uniqueness=get_or_create", entry),
    ];
    expect(answers.map(({ status, location }) => [status, location !== null])).toEqual([
      [201, true],
      [200, false],
    ]);
  });

  it.each([null, "x", { type: 5 }])("are not configured by %j", async (config) => {
    expect((await ask("POST", "/index/node", { name: "i", config })).status).toBe(400);
  });

  it("make one entity per key and value, however many ask at once", async () => {
    const entry = { key: "email", value: "a@b", properties: { email: "a@b" } };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask("POST", "/index/node/people?uniqueness=get_or_create", entry)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(new Set(answers.map(({ json }) => (json as { self: string }).self)).size).toBe(1);
    expect((await ask("POST", "/index/node/people?uniqueness=create_or_fail", entry)).status).toBe(409);
  });

  it("make unique relationships, and say what is missing for that", async () => {
    const [start, end] = [await createNode(), await createNode()];
    const entry = { key: "k", value: "v", start, end, type: "KNOWS" };
    const made = await ask("POST", "/index/relationship/rels?unique", entry);
    expect(made).toMatchObject({ status: 201, json: { type: "KNOWS", start, end, data: { k: "v" } } });
    expect((await ask("POST", "/index/relationship/rels?unique", entry)).status).toBe(200);
    expect((await ask("POST", "/index/relationship/rels?unique", { key: "k", value: "w" })).status).toBe(400);
  });

  it("refuse values that no address can hold, and what is not there", async () => {
    const uri = await createNode();
    expect((await ask("POST", "/index/node/i", { key: "k", value: "x".repeat(20_000), uri })).status).toBe(413);
    expect((await ask("POST", "/index/node/i", { key: "k", value: "v", uri: `${uri}999` })).status).toBe(500);
    expect((await ask("POST", "/index/node/i", { key: "k", value: "v", uri: "x" })).status).toBe(400);
    expect((await ask("POST", "/index/node/i", { key: "k", uri })).json).toMatchObject({
      message: 'Missing required key: "value"',
    });
  });

  it("are part of a batch and undone with it", async () => {
    const uri = await createNode();
    const jobs = [
      { method: "POST", to: "/index/node/b", id: 0, body: { key: "k", value: "v", uri } },
      { method: "GET", to: "/index/node/b/k/v", id: 1 },
    ];
    const done = (await ask("POST", "/batch", jobs)).json as { body: { self: string }[] }[];
    expect(done[1]?.body.map(({ self }) => self)).toEqual([uri]);
    const failing = [
      { ...jobs[0], body: { key: "k", value: "w", uri } },
      { method: "GET", to: "/node/99999" },
    ];
    expect((await ask("POST", "/batch", failing)).status).toBe(500);
    expect(selves(await ask("GET", "/index/node/b/k/w"))).toEqual([]);
  });
});

describe("automatic indexes over HTTP", () => {
  it("follow the properties they are told to, and nobody else fills them", async () => {
    await ask("PUT", "/index/auto/node/status", "true");
    await ask("POST", "/index/auto/node/properties", "name");
    expect((await ask("GET", "/index/auto/node/properties")).json).toEqual(["name"]);
    const node = await createNode({ name: "Ann", other: "x" });
    expect(selves(await ask("GET", "/index/auto/node/name/Ann"))).toEqual([node]);
    expect(selves(await ask("GET", "/index/auto/node?query=name:A*"))).toEqual([node]);
    expect(selves(await ask("GET", "/index/auto/node/other/x"))).toEqual([]);
    expect((await ask("DELETE", "/index/node/node_auto_index")).status).toBe(405);
  });
});

describe("the schema over HTTP", () => {
  it("makes, lists and drops indexes and constraints", async () => {
    expect((await ask("POST", "/schema/index/Person", { property_keys: ["name"] })).json).toEqual({
      label: "Person",
      property_keys: ["name"],
    });
    expect((await ask("POST", "/schema/index/Person", { property_keys: ["name"] })).status).toBe(409);
    expect((await ask("GET", "/schema/index/Person")).json).toHaveLength(1);
    expect((await ask("DELETE", "/schema/index/Person/name")).status).toBe(204);
    expect((await ask("DELETE", "/schema/index/Person/name")).status).toBe(404);
    const unique = "/schema/constraint/Person/uniqueness";
    expect((await ask("POST", unique, { property_keys: ["email"] })).status).toBe(200);
    expect((await ask("GET", `${unique}/email`)).json).toEqual([
      { label: "Person", property_keys: ["email"], type: "UNIQUENESS" },
    ]);
    expect((await ask("DELETE", `${unique}/email`)).status).toBe(204);
  });
});
