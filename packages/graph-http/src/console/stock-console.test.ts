import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestInterface, type TestInterface } from "../testing/test-interface.ts";

/*
 * What the console of the 2.2 server asks its server, in the order in which it asks from the first visit on: other
 * people's copies of it go on working (graph-http §9).
 */
describe("the stock console of the era", () => {
  let server: TestInterface;
  beforeAll(async () => {
    server = await startTestInterface({ password: "secret" });
  });
  afterAll(() => server.close());

  interface Asked {
    readonly status: number;
    readonly headers: Headers;
    readonly body: ReturnType<typeof JSON.parse>;
  }

  async function ask(method: string, path: string, body?: unknown, password = "secret"): Promise<Asked> {
    const response = await fetch(server.baseUrl + path, {
      method,
      headers: {
        accept: "application/json, text/plain, */*",
        authorization: `Basic ${btoa(`neo4j:${password}`)}`,
        "x-ajax-browser-auth": "true",
        "x-stream": "true",
        ...(body === undefined ? {} : { "content-type": "application/json;charset=UTF-8" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  }

  it("beats its heart without credentials", async () => {
    const response = await fetch(`${server.baseUrl}/db/data/`, { method: "OPTIONS" });
    expect(response.ok).toBe(true);
    expect(response.headers.get("allow")).toContain("GET");
  });

  it("learns that it must sign in, and who it is", async () => {
    expect((await fetch(`${server.baseUrl}/db/data/`)).status).toBe(401);
    expect(await ask("GET", "/user/neo4j")).toMatchObject({
      status: 200,
      body: { username: "neo4j", password_change_required: false },
    });
    expect((await ask("GET", "/user/neo4j", undefined, "wrong")).status).toBe(401);
  });

  it("changes the password", async () => {
    expect((await ask("POST", "/user/neo4j/password", { password: "secret" })).status).toBe(422);
    expect((await ask("POST", "/user/neo4j/password", { password: "other" })).status).toBe(200);
    expect((await ask("POST", "/user/neo4j/password", { password: "secret" }, "other")).status).toBe(200);
  });

  it("runs a statement for rows and the graph at once", async () => {
    const statements = [
      {
        statement: "CREATE (a:City {name: 'A'})-[r:ROAD]->(b:City {name: 'B'}) RETURN a, r, b",
        parameters: {},
        resultDataContents: ["row", "graph"],
        includeStats: true,
      },
    ];
    const begun = await ask("POST", "/db/data/transaction", { statements });
    expect(begun.status).toBe(201);
    expect(begun.body.results[0]).toMatchObject({
      columns: ["a", "r", "b"],
      data: [
        {
          row: [{ name: "A" }, {}, { name: "B" }],
          graph: { nodes: [{ labels: ["City"] }, { labels: ["City"] }], relationships: [{ type: "ROAD" }] },
        },
      ],
      stats: { contains_updates: true, nodes_created: 2, relationships_created: 1 },
    });
    const commit = new URL(begun.body.commit as string).pathname;
    expect(await ask("POST", commit, { statements: [] })).toMatchObject({ status: 200, body: { errors: [] } });
  });

  it("reads the names for its side bar", async () => {
    expect((await ask("GET", "/db/data/labels")).body).toEqual(["City"]);
    expect((await ask("GET", "/db/data/relationship/types")).body).toEqual(["ROAD"]);
    expect((await ask("GET", "/db/data/propertykeys")).body).toEqual(["name"]);
    expect((await ask("GET", "/db/data/")).body).toMatchObject({ neo4j_version: "2.3.12" });
    expect((await ask("GET", "/db/manage/server/version/")).body).toMatchObject({ version: "2.3.12" });
  });

  it("asks for the beans behind :sysinfo", async () => {
    const { status, body } = await ask("POST", "/db/manage/server/jmx/query", ["org.neo4j:*"]);
    expect(status).toBe(200);
    const names = (body as { name: string; attributes: unknown[] }[]).map(({ name }) => /name=(.*)/.exec(name)?.[1]);
    expect(names).toEqual(expect.arrayContaining(["Kernel", "Primitive count"]));
  });

  it("profiles by the old address", async () => {
    const { status, body } = await ask("POST", "/db/data/cypher?profile=true", {
      query: "MATCH (n:City) RETURN n.name",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ columns: ["n.name"], plan: { name: expect.any(String) as string, rows: 2 } });
  });

  it("draws the neighbours of a double click", async () => {
    const statements = [
      {
        statement: "START a = node(*) MATCH a -[r]- b RETURN r, b LIMIT 100",
        resultDataContents: ["row", "graph"],
        includeStats: true,
      },
    ];
    const { body } = await ask("POST", "/db/data/transaction/commit", { statements });
    expect(body.errors).toEqual([]);
    expect(body.results[0].data).toHaveLength(2);
  });

  it("sends the remote shell's commands", async () => {
    const { body } = await ask("POST", "/db/manage/server/console", { command: "RETURN 1", engine: "shell" });
    expect(body).toHaveLength(2);
  });
});
