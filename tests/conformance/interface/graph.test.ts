import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Answer, basic, GraphUnderTest, nowMs, statementsBody } from "./graph-under-test.ts";

let graph: GraphUnderTest;

beforeAll(async () => {
  graph = await GraphUnderTest.start({ "graph.auth_enabled": "false" });
});
afterAll(() => graph?.remove());
beforeEach(() => graph.commit("MATCH (n) OPTIONAL MATCH (n)-[r]-() DELETE r, n"));

const TRANSACTION = "/db/data/transaction";
const post = (path: string, body?: string | object): Promise<Answer> => graph.call({ method: "POST", path, body });
const rows = (answer: Answer, result = 0): unknown[] =>
  answer.json.results[result].data.map(({ row }: { row: unknown }) => row);
const pathOf = (url: string): string => new URL(url).pathname;

describe("graph §1: what it stores", () => {
  test("graph §1: nodes with labels and properties, relationships, and statements over them", async () => {
    await graph.commit("CREATE (:Person {name: 'Ada'})-[:KNOWS {since: 1843}]->(:Person {name: 'Charles'})");
    const answer = await graph.commit("MATCH (a:Person)-[r:KNOWS]->(b) RETURN a.name, labels(a), type(r), r.since, b");
    expect(rows(answer)).toEqual([["Ada", ["Person"], "KNOWS", 1843, { name: "Charles" }]]);
  });

  test("graph §1: the store's place is a setting, and what was stored is there after a restart", async () => {
    const location = path.join(graph.dataDirectory, "elsewhere");
    const properties = { "graph.auth_enabled": "false", "org.neo4j.server.database.location": location };
    const first = await GraphUnderTest.start(properties, path.join(graph.dataDirectory, "second"));
    await first.commit("CREATE (:Kept {n: 1})");
    await first.stop();
    const second = await GraphUnderTest.start(properties, path.join(graph.dataDirectory, "second"));
    try {
      expect(rows(await second.commit("MATCH (n:Kept) RETURN n"))).toEqual([[{ n: 1 }]]);
    } finally {
      await second.stop();
    }
  });
});

describe("graph §2: requests, responses, results", () => {
  test("graph §2: parameters by name in braces; several formats at once; REST nodes with self", async () => {
    const answer = await graph.commit({
      statement: "CREATE (n:A {props}) RETURN n",
      parameters: { props: { name: 'it\'s "quoted" \\ back' } },
      resultDataContents: ["REST", "row", "graph"],
    });
    const [entry] = answer.json.results[0].data;
    expect(Object.keys(entry)).toEqual(["rest", "row", "graph"]);
    expect(entry.row).toEqual([{ name: 'it\'s "quoted" \\ back' }]);
    const [node] = entry.rest;
    expect(node.self).toBe(`${graph.baseUrl}/db/data/node/${node.metadata.id}`);
    expect(node.data).toEqual(entry.row[0]);
    expect(entry.graph).toEqual({
      nodes: [{ id: String(node.metadata.id), labels: ["A"], properties: entry.row[0] }],
      relationships: [],
    });
    const read = await graph.call({ method: "GET", path: pathOf(node.self) });
    expect(read.json).toMatchObject({ self: node.self, data: entry.row[0] });
  });

  test("graph §2: results with columns and data, errors empty on success, in an order to stream by", async () => {
    const answer = await graph.commit("UNWIND [1, 2] AS x RETURN x, x * 2 AS y");
    expect(answer.text).toBe('{"results":[{"columns":["x","y"],"data":[{"row":[1,2]},{"row":[2,4]}]}],"errors":[]}');
    expect(answer.headers["content-type"]).toBe("application/json");
  });

  test("graph §2: an error has code and message", async () => {
    const answer = await graph.commit("RETURN 1", "RETURN nope");
    expect(answer.status).toBe(200);
    expect(answer.json.results).toHaveLength(1);
    expect(answer.json.errors).toHaveLength(1);
    const [error] = answer.json.errors;
    expect(error.code).toBe("Graph.ClientError.Statement.InvalidSyntax");
    expect(error.message).toMatch(/nope/);
  });

  test("graph §2: expires is a date of the form <day>, <dd> <mon> <yyyy> <HH:mm:ss> <zone>", async () => {
    const { transaction } = (await post(TRANSACTION)).json;
    expect(transaction.expires).toMatch(
      /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000$/,
    );
  });

  test("numbers keep every digit, both ways, and floats stay floats", async () => {
    const body =
      '{"statements":[{"statement":"RETURN {i} AS i, {f} AS f, {i} - 1 AS d","parameters":{"i":9007199254740993,"f":1.0}}]}';
    expect((await post(`${TRANSACTION}/commit`, body)).text).toContain('"row":[9007199254740993,1.0,9007199254740992]');
  });
});

describe("graph §3, §4: transactions", () => {
  test("graph §3: begin, any number of executes, commit; nobody sees it before", async () => {
    const begun = await post(TRANSACTION, statementsBody(["CREATE (:T {n: 1})"]));
    expect(begun.status).toBe(201);
    expect(begun.json.errors).toEqual([]);
    const location = pathOf(begun.headers.location!);
    expect(begun.json.commit).toBe(`${graph.baseUrl}${location}/commit`);
    await post(location, statementsBody(["CREATE (:T {n: 2})"]));
    const inside = await post(location, statementsBody(["MATCH (t:T) RETURN count(t)"]));
    expect([inside.status, rows(inside)]).toEqual([200, [[2]]]);
    expect(rows(await graph.commit("MATCH (t:T) RETURN count(t)"))).toEqual([[0]]);
    const committed = await post(`${location}/commit`, statementsBody(["CREATE (:T {n: 3})"]));
    expect([committed.status, committed.json.errors, committed.json.commit]).toEqual([200, [], undefined]);
    expect(rows(await graph.commit("MATCH (t:T) RETURN count(t)"))).toEqual([[3]]);
    const again = await post(`${location}/commit`);
    expect([again.status, again.json.errors[0].code]).toEqual([404, "Graph.ClientError.Transaction.UnknownId"]);
  });

  test("graph §4.1: one request runs and commits", async () => {
    const answer = await graph.commit("CREATE (n:One) RETURN 1", "MATCH (n:One) RETURN count(n)");
    expect([answer.status, rows(answer, 1), answer.json.commit, answer.json.transaction]).toEqual([
      200,
      [[1]],
      undefined,
      undefined,
    ]);
  });

  test("graph §4.2: begin answers with the transaction's address, also without a body", async () => {
    const answer = await post(TRANSACTION);
    expect(answer.status).toBe(201);
    expect(answer.headers.location).toMatch(new RegExp(`^${graph.baseUrl}${TRANSACTION}/\\d+$`));
    expect(answer.json).toMatchObject({ results: [], errors: [] });
  });

  test("graph §4.3: a GET with statements is answered like the POST", async () => {
    const location = pathOf((await post(TRANSACTION)).headers.location!);
    const answer = await graph.call({ method: "GET", path: location, body: statementsBody(["RETURN 42 AS n"]) });
    expect(answer.status).toBe(200);
    expect(rows(answer)).toEqual([[42]]);
    expect(Object.keys(answer.json)).toEqual(["commit", "results", "transaction", "errors"]);
  });

  test("graph §4.4: commit, also without a body", async () => {
    const location = pathOf((await post(TRANSACTION, statementsBody(["CREATE (:C)"]))).headers.location!);
    expect((await post(`${location}/commit`)).text).toBe('{"results":[],"errors":[]}');
    expect(rows(await graph.commit("MATCH (c:C) RETURN count(c)"))).toEqual([[1]]);
  });

  test("any error rolls back and forgets the transaction", async () => {
    const location = pathOf((await post(TRANSACTION, statementsBody(["CREATE (:Lost)"]))).headers.location!);
    const failed = await post(location, statementsBody(["RETURN nope"]));
    expect([failed.status, failed.json.transaction, failed.json.errors.length]).toEqual([200, undefined, 1]);
    expect((await post(location)).status).toBe(404);
    expect(rows(await graph.commit("MATCH (n:Lost) RETURN count(n)"))).toEqual([[0]]);
  });

  test("DELETE rolls back", async () => {
    const location = pathOf((await post(TRANSACTION, statementsBody(["CREATE (:Gone)"]))).headers.location!);
    const deleted = await graph.call({ method: "DELETE", path: location });
    expect([deleted.status, deleted.text]).toEqual([200, '{"results":[],"errors":[]}']);
    expect(rows(await graph.commit("MATCH (n:Gone) RETURN count(n)"))).toEqual([[0]]);
  });

  test("a begin with a bad body answers 201, and the transaction is gone", async () => {
    const begun = await post(TRANSACTION, "hello");
    expect([begun.status, begun.json.errors.length, begun.json.transaction]).toEqual([201, 1, undefined]);
    expect((await post(pathOf(begun.json.commit))).status).toBe(404);
  });

  test("statements before a mistake in the body do run, are answered, and are rolled back", async () => {
    const answer = await post(
      `${TRANSACTION}/commit`,
      '{"statements":[{"statement":"CREATE (n:Z) RETURN 1"},{"statement":',
    );
    expect(rows(answer)).toEqual([[1]]);
    expect(answer.json.errors[0].code).toBe("Graph.ClientError.Request.InvalidFormat");
    expect(rows(await graph.commit("MATCH (z:Z) RETURN count(z)"))).toEqual([[0]]);
  });

  test("two requests at once in one transaction: the second is refused", async () => {
    const holder = pathOf((await post(TRANSACTION, statementsBody(["CREATE (n:Locked {v: 0})"]))).headers.location!);
    await post(`${holder}/commit`);
    const writer = pathOf(
      (await post(TRANSACTION, statementsBody(["MATCH (n:Locked) SET n.v = 1"]))).headers.location!,
    );
    const waiter = pathOf((await post(TRANSACTION)).headers.location!);
    const blocked = post(waiter, statementsBody(["MATCH (n:Locked) SET n.v = 2"]));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = await post(waiter, statementsBody(["RETURN 1"]));
    expect([second.status, second.json.errors[0].code]).toEqual([
      404,
      "Graph.ClientError.Transaction.ConcurrentRequest",
    ]);
    await post(`${writer}/commit`);
    expect((await blocked).json.errors).toEqual([]);
    await post(`${waiter}/commit`);
    expect(rows(await graph.commit("MATCH (n:Locked) RETURN n.v"))).toEqual([[2]]);
  });

  test("graph §8: expires lies the timeout ahead, and each request moves it", async () => {
    const begun = await post(TRANSACTION);
    const aheadMs = Date.parse(begun.json.transaction.expires) - nowMs();
    expect(aheadMs).toBeGreaterThan(55_000);
    expect(aheadMs).toBeLessThanOrEqual(60_000);
  });
});

describe("graph §4.5, §4.6: the older form", () => {
  test("graph §4.5: the legacy endpoint answers nodes in the REST representation", async () => {
    const answer = await post("/db/data/cypher", { query: "CREATE (n:L {p: {p}}) RETURN n", params: { p: 1 } });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json)).toEqual(["columns", "data"]);
    const [[node]] = answer.json.data;
    expect(node.self).toMatch(new RegExp(`^${graph.baseUrl}/db/data/node/\\d+$`));
    expect(node.data).toEqual({ p: 1 });
    const failed = await post("/db/data/cypher", { query: "BOO" });
    expect([failed.status, failed.json.exception]).toEqual([400, "SyntaxException"]);
  });

  test("graph §4.6: the service root is JSON to programs and a page to browsers", async () => {
    const root = await graph.call({ method: "GET", path: "/db/data/" });
    expect(root.json).toMatchObject({
      node: `${graph.baseUrl}/db/data/node`,
      transaction: `${graph.baseUrl}${TRANSACTION}`,
      neo4j_version: expect.any(String),
    });
    const page = await graph.call({
      method: "GET",
      path: "/db/data/",
      headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
    });
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=UTF-8"]);
  });
});

describe("graph §5: authentication", () => {
  let guarded: GraphUnderTest;
  beforeAll(async () => {
    guarded = await GraphUnderTest.start();
  });
  afterAll(() => guarded?.remove());
  const as = (name: string, password: string): { authorization: string } => ({ authorization: basic(name, password) });

  test.each(["/db/data/", "/db/data/transaction/commit", "/user/neo4j", "/nope"])(
    "graph §5: %s without an Authorization header is refused",
    async (target) => {
      const answer = await guarded.call({ method: "GET", path: target });
      expect([answer.status, answer.headers["www-authenticate"]]).toEqual([401, "None"]);
      expect(answer.json.errors).toEqual([
        {
          code: "Graph.ClientError.Security.AuthorizationFailed",
          message: expect.stringMatching(/^No authorization header supplied/i),
        },
      ]);
    },
  );

  test("graph §4.6, §5: /user/<name> with Basic credentials; the first password is good for its change only", async () => {
    const user = await guarded.call({ method: "GET", path: "/user/neo4j", headers: as("neo4j", "neo4j") });
    expect(user.json).toEqual({
      username: "neo4j",
      password_change_required: true,
      password_change: `${guarded.baseUrl}/user/neo4j/password`,
    });
    const refused = await guarded.call({ method: "GET", path: "/db/data/", headers: as("neo4j", "neo4j") });
    expect([refused.status, refused.json.password_change]).toEqual([403, user.json.password_change]);
    const change = { method: "POST", path: "/user/neo4j/password", body: { password: "a:b c" } };
    expect((await guarded.call({ ...change, headers: as("neo4j", "neo4j") })).status).toBe(200);
    const served = await guarded.call({ method: "GET", path: "/db/data/", headers: as("neo4j", "a:b c") });
    expect(served.status).toBe(200);
    const wrong = await guarded.call({ method: "GET", path: "/db/data/", headers: as("neo4j", "neo4j") });
    expect(wrong.status).toBe(401);
  });

  test("with authentication off, no web page gets in", async () => {
    const foreign = await graph.call({ method: "GET", path: "/db/data/", headers: { origin: "https://evil.example" } });
    const rebound = await graph.call({ method: "GET", path: "/db/data/", headers: { host: "evil.example:7474" } });
    expect([foreign.status, rebound.status]).toEqual([403, 403]);
  });
});

describe("graph §7: errors", () => {
  test("graph §7: a body that is not JSON", async () => {
    const { status, json } = await post(`${TRANSACTION}/commit`, "not json");
    expect(status).toBe(200);
    expect(json.errors[0].code).toBe("Graph.ClientError.Request.InvalidFormat");
    expect(json.errors[0].message).toMatch(/^Unable to deserialize request/);
  });

  test("graph §7: a single backslash before an apostrophe; doubled or as a parameter it works", async () => {
    const body = (escape: string): string => `{"statements":[{"statement":"RETURN 'it${escape}'s' AS s"}]}`;
    const [error] = (await post(`${TRANSACTION}/commit`, body("\\"))).json.errors;
    expect(error.code).toBe("Graph.ClientError.Request.InvalidFormat");
    expect(error.message).toMatch(
      /^Unable to deserialize request: Unrecognized character escape ''' \(code 39\)\n at \[Source: .*; line: 1, column: \d+\]$/,
    );
    expect(rows(await post(`${TRANSACTION}/commit`, body("\\\\")))).toEqual([["it's"]]);
    expect(rows(await graph.commit({ statement: "RETURN {s} AS s", parameters: { s: "it's" } }))).toEqual([["it's"]]);
  });

  test("graph §7: unescaped quotes at the legacy endpoint give 500", async () => {
    expect((await post("/db/data/cypher", '{"query":"RETURN "a" AS v"}')).status).toBe(500);
  });

  test.each(["/nope", "/db/data/nope", "/db/manage/nope", "/user/nobody", "/db/data/transaction/abc"])(
    "graph §7: %s is not served: 404 with a page reading Not Found",
    async (target) => {
      const answer = await graph.call({ method: "GET", path: target, headers: { accept: "*/*" } });
      expect(answer.status).toBe(404);
      expect(answer.headers["content-type"]).toMatch(/^text\/html/);
      expect(answer.text).toContain("Not Found");
    },
  );
});

describe("graph §9: versions", () => {
  test.each([
    "MATCH (n:V) WHERE n.name = {name} RETURN n.name",
    "MATCH (n:V) WHERE has(n.name) AND n.name =~ 'A.*' RETURN n.name",
    "MATCH (n:V) USING SCAN n:V RETURN n.name ORDER BY n.name SKIP {skip} LIMIT {limit}",
  ])("graph §9: %s", async (statement) => {
    await graph.commit("CREATE (:V {name: 'Ada'})");
    const answer = await graph.commit({ statement, parameters: { name: "Ada", skip: 0, limit: 1 } });
    expect([answer.json.errors, rows(answer)]).toEqual([[], [["Ada"]]]);
  });
});

test("graph §1: a store of a version that is not ours is refused, naming both", async () => {
  const directory = path.join(graph.dataDirectory, "foreign");
  await mkdir(path.join(directory, "graph"), { recursive: true });
  await writeFile(path.join(directory, "graph", "neostore"), "NeoStore v0.A.0");
  await expect(GraphUnderTest.start({}, directory)).rejects.toMatchObject({
    code: "store",
    message: expect.stringMatching(/has a store version number that we cannot upgrade from/),
  });
});
