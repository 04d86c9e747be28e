import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startTestInterface, type TestInterface } from "../testing/test-interface.ts";

let server: TestInterface;
let data: string;

beforeAll(async () => {
  server = await startTestInterface();
  data = `${server.baseUrl}/db/data`;
  await cypher("UNWIND range(1, 2000) AS k CREATE (:Many {k: k})");
});
afterAll(() => server.close());

const cypher = (query: string, headers: Record<string, string> = {}, search = ""): Promise<Response> =>
  fetch(`${data}/cypher${search}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query }),
  });
const jsonOf = (response: Response): Promise<ReturnType<typeof JSON.parse>> => response.json();
const STREAM = { accept: "application/json", "x-stream": "true" };

describe("streamed answers (graph-http §1, X-Stream)", () => {
  it("of statements leave in chunks and say the same", async () => {
    const query = "UNWIND range(1, 30000) AS x RETURN x, {a: [x]} AS m";
    const streamed = await cypher(query, STREAM, "?includeStats=true");
    expect(streamed.headers.get("content-type")).toBe("application/json; charset=UTF-8; stream=true");
    expect(streamed.headers.get("content-length")).toBeNull();
    const whole = await cypher(query, {}, "?includeStats=true");
    expect(whole.headers.get("content-length")).not.toBeNull();
    expect(await streamed.json()).toEqual(await whole.json());
  });

  it("of statements without rows, explained and profiled are whole", async () => {
    expect(await (await cypher("MATCH (n:Nope) RETURN n", STREAM)).text()).toBe('{"columns":["n"],"data":[]}');
    const explained = await jsonOf(await cypher("EXPLAIN MATCH (n) RETURN n", STREAM));
    expect(Object.keys(explained)).toEqual(["columns", "data", "plan"]);
    expect(explained.columns).toEqual([]);
    const profiled = await jsonOf(await cypher("MATCH (n:Many {k: 1}) RETURN n.k", STREAM, "?profile=true"));
    expect(profiled.data).toEqual([[1]]);
    expect(profiled.plan.rows).toBe(1);
  });

  it("become an error of their own while nothing has left, and break off afterwards", async () => {
    const early = await cypher("UNWIND [1, 0] AS x RETURN 1 / x", STREAM);
    expect(early.status).toBe(400);
    expect((await jsonOf(early)).exception).toBe("BadInputException");
    const late = await cypher("UNWIND range(60000, 0, -1) AS x RETURN 1 / x, 'some text to fill the answer'", STREAM);
    expect(late.status).toBe(200);
    await expect(late.text()).rejects.toThrow();
  });

  it.each([
    ["UNWIND [0] AS x RETURN 1 / x", "BadInputException"],
    ["UNWIND [0] AS x RETURN 1 / x AS v ORDER BY v", "ArithmeticException"],
    ["UNWIND [0] AS x RETURN collect(1 / x)", "ArithmeticException"],
    ["UNWIND [0] AS x CREATE (n {a: 1 / x}) RETURN n", "ArithmeticException"],
    ["LOAD CSV FROM 'file:///nope.csv' AS l RETURN l", "BadInputException"],
    ["LOAD CSV FROM 'file:///nope.csv' AS l CREATE ()", "LoadExternalResourceException"],
    ["CREATE (n) DELETE n RETURN labels(n)", "CypherExecutionException"],
    ["CREATE (n) DELETE n RETURN n", "NotFoundException"],
  ])("tell what was met among rows as bad input, and what before as it is: %s", async (query, exception) => {
    const answer = await cypher(`CYPHER 2.3 ${query}`);
    expect([answer.status, (await jsonOf(answer)).exception]).toEqual([400, exception]);
  });

  it("of what was deleted end in a failure", async () => {
    const { status, headers } = await cypher("CREATE (n) DELETE n RETURN n", STREAM);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([500, null]);
  });

  it("have statistics and a profile when they are asked for in any letters", async () => {
    const answer = await jsonOf(await cypher("RETURN 1", {}, "?includeStats=TRUE&profile=True"));
    expect(Object.keys(answer)).toEqual(["columns", "data", "stats", "plan"]);
  });

  it("of lists leave in chunks", async () => {
    const streamed = await fetch(`${data}/label/Many/nodes`, { headers: STREAM });
    expect(streamed.headers.get("content-length")).toBeNull();
    expect(await streamed.json()).toEqual(await (await fetch(`${data}/label/Many/nodes`)).json());
    const [first] = await jsonOf(await fetch(`${data}/label/Many/nodes`, { headers: STREAM }));
    const traversed = await fetch(`${first.self}/traverse/node`, { method: "POST", headers: STREAM });
    expect(await traversed.text()).toBe("[]");
  });

  it("stop when the client has gone", async () => {
    const begin = vi.spyOn(server.store, "begin");
    const query = "UNWIND range(1, 100000000) AS x RETURN x, 'some text to fill the answer'";
    await new Promise<void>((resolve, reject) => {
      const asked = request(`${data}/cypher`, {
        method: "POST",
        headers: { "content-type": "application/json", ...STREAM },
      });
      asked.on("error", reject);
      asked.on("response", (response) => {
        response.once("data", () => {
          response.destroy();
          resolve();
        });
      });
      asked.end(JSON.stringify({ query }));
    });
    // A statement that ran on would keep this machine busy for minutes.
    const transaction = begin.mock.results[0]?.value as ReturnType<typeof server.store.begin>;
    await expect.poll(() => transaction.state, { timeout: 4_000 }).not.toBe("open");
  });
});

describe("transaction/commit as a job of a batch", () => {
  const batch = async (jobs: readonly object[]): Promise<ReturnType<typeof JSON.parse>> => {
    const response = await fetch(`${data}/batch`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(jobs),
    });
    return await jsonOf(response);
  };
  const commit = (...statements: readonly string[]): object => ({
    method: "POST",
    to: "transaction/commit",
    body: { statements: statements.map((statement) => ({ statement })) },
  });
  const kept = async (): Promise<number[]> =>
    (await jsonOf(await cypher("MATCH (n:Job) RETURN n.k ORDER BY n.k"))).data.flat();

  it("sees what earlier jobs have done and is kept with them", async () => {
    const answer = await batch([
      { method: "POST", to: "cypher", body: { query: "CREATE (:Job {k: 1})" } },
      commit("MATCH (n:Job) RETURN count(n) AS c", "CREATE (:Job {k: 2})"),
    ]);
    expect(answer[1].body.results[0]).toEqual({ columns: ["c"], data: [{ row: [1] }] });
    expect(await kept()).toEqual([1, 2]);
  });

  it("tells its errors in its answer, and undoes what came before", async () => {
    const answer = await batch([
      { method: "POST", to: "cypher", body: { query: "CREATE (:Job {k: 3})" } },
      commit("CREATE (:Job {k: 4})", "RETURN nothing"),
      { method: "POST", to: "cypher", body: { query: "CREATE (:Job {k: 5})" } },
    ]);
    expect(answer[1].body.errors[0].code).toBe("Graph.ClientError.Statement.InvalidSyntax");
    expect(await kept()).toEqual([1, 2, 5]);
  });
});

describe("a label that a unique value forbids", () => {
  it("is refused with the violation as cause", async () => {
    await cypher("CREATE CONSTRAINT ON (n:Sole) ASSERT n.k IS UNIQUE");
    await cypher("CREATE (:Sole {k: 1})");
    const created = await fetch(`${data}/node`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"k":1}',
    });
    const refused = await fetch(`${created.headers.get("location")}/labels`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '"Sole"',
    });
    expect(refused.status).toBe(400);
    const { exception, cause } = await jsonOf(refused);
    expect([exception, cause.exception]).toEqual(["BadInputException", "ConstraintViolationException"]);
  });
});
