import http from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestInterface, type TestInterface } from "../testing/test-interface.ts";

let server: TestInterface;
beforeEach(async () => {
  server = await startTestInterface({ maximumBodyBytes: 10_000 });
});
afterEach(() => server.close());

const TRANSACTION = "/db/data/transaction";
/** Runs for minutes unless it is stopped. */
const ENDLESS = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a, b WHERE a + b < 0 RETURN count(*)";

function post(path: string, body?: unknown, init: RequestInit = {}): Promise<Response> {
  return fetch(server.baseUrl + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });
}

/** How long a busy machine may take to come to it. */
const PATIENCE = { timeout: 20_000 };

const statements = (...texts: string[]): object => ({ statements: texts.map((statement) => ({ statement })) });

async function json(response: Promise<Response>): Promise<ReturnType<typeof JSON.parse>> {
  return (await response).json();
}

async function begin(...texts: string[]): Promise<string> {
  return new URL((await post(TRANSACTION, statements(...texts))).headers.get("location")!).pathname;
}

describe("stopping", () => {
  it("DELETE interrupts the request that works in the transaction, and rolls it back", async () => {
    const path = await begin("CREATE (:Gone)");
    const running = json(post(path, statements(ENDLESS)));
    await delay(100);
    const deleted = await fetch(server.baseUrl + path, { method: "DELETE" });
    expect([deleted.status, await deleted.text()]).toEqual([200, '{"results":[],"errors":[]}']);
    const { errors, transaction } = await running;
    expect([errors[0].code, transaction]).toEqual(["Graph.TransientError.Transaction.Terminated", undefined]);
    const count = await json(post(`${TRANSACTION}/commit`, statements("MATCH (n:Gone) RETURN count(n)")));
    expect(count.results[0].data).toEqual([{ row: [0] }]);
  });

  it("SHOW TRANSACTIONS tells what is running, TERMINATE ends it", async () => {
    const rows = async (text: string): Promise<unknown[]> => {
      const { results, errors } = await json(post(`${TRANSACTION}/commit`, statements(text)));
      expect(errors).toEqual([]);
      return results[0].data.map(({ row }: { row: unknown[] }) => row);
    };
    const path = await begin("CREATE (:Gone)");
    const id = path.split("/").at(-1);
    const running = json(post(path, statements(ENDLESS)));
    const shown = `SHOW TRANSACTIONS '${id}' YIELD transactionId AS id, status, currentQuery RETURN id, status, currentQuery`;
    await expect.poll(() => rows(shown), PATIENCE).toEqual([[id, "Running", ENDLESS]]);
    const all = "SHOW TRANSACTIONS YIELD currentQuery, elapsedTime WHERE elapsedTime.seconds >= 0 RETURN currentQuery";
    expect(await rows(all)).toEqual([[ENDLESS], [all]]);
    expect(await rows(`TERMINATE TRANSACTIONS '${id}', 'none'`)).toEqual([
      [id, null, "Transaction terminated."],
      ["none", null, "Transaction not found."],
    ]);
    expect((await running).errors[0].code).toBe("Graph.TransientError.Transaction.Terminated");
    expect(await rows(`SHOW TRANSACTION '${id}'`)).toEqual([]);
    expect(await rows("MATCH (n:Gone) RETURN count(n)")).toEqual([[0]]);
  });

  it("a client that goes away takes its statement along", async () => {
    const abort = new AbortController();
    const gone = post(`${TRANSACTION}/commit`, statements("CREATE (:Half)", ENDLESS), { signal: abort.signal });
    await expect.poll(() => server.graph.transactions.size, PATIENCE).toBe(1);
    abort.abort();
    await expect(gone).rejects.toThrow("aborted");
    await expect.poll(() => server.graph.transactions.size, PATIENCE).toBe(0);
    const count = await json(post(`${TRANSACTION}/commit`, statements("MATCH (n:Half) RETURN count(n)")));
    expect(count.results[0].data).toEqual([{ row: [0] }]);
  });

  it("an idle transaction expires", async () => {
    const path = await begin("CREATE (:Idle)");
    server.clock.advance(60_000);
    server.graph.transactions.sweep();
    expect((await post(path)).status).toBe(404);
  });
});

describe("answers", () => {
  it("long ones leave in chunks, as fast as the client reads and no faster", async () => {
    const rows = 200_000;
    const body = JSON.stringify(statements(`UNWIND range(1, ${rows}) AS i RETURN i, 'some text to make it long' AS t`));
    const text = await new Promise<string>((resolve, reject) => {
      const request = http.request(
        `${server.baseUrl}${TRANSACTION}/commit`,
        { method: "POST", headers: { "content-type": "application/json" } },
        (response) => {
          expect(response.headers["transfer-encoding"]).toBe("chunked");
          // While nobody reads, no more than the buffers' worth is made.
          setTimeout(() => {
            expect(server.graph.transactions.size).toBe(1);
            const chunks: Buffer[] = [];
            response.on("data", (chunk: Buffer) => chunks.push(chunk));
            response.on("end", () => resolve(Buffer.concat(chunks).toString()));
          }, 300);
        },
      );
      request.on("error", reject);
      request.end(body);
    });
    const { results, errors } = JSON.parse(text);
    expect([results[0].data.length, results[0].data.at(-1).row[0], errors]).toEqual([rows, rows, []]);
  });

  it("short ones leave in one piece", async () => {
    const response = await post(`${TRANSACTION}/commit`, statements("RETURN 1"));
    expect(response.headers.get("content-length")).toBe(String((await response.text()).length));
  });

  it("stats count what a statement changed, with the historic name", async () => {
    const { results } = await json(
      post(`${TRANSACTION}/commit`, {
        statements: [{ statement: "CREATE (:A {x: 1})-[:R]->(:B) RETURN 1", includeStats: true }],
      }),
    );
    expect(results[0].stats).toEqual({
      contains_updates: true,
      nodes_created: 2,
      nodes_deleted: 0,
      properties_set: 1,
      relationships_created: 1,
      relationship_deleted: 0,
      labels_added: 2,
      labels_removed: 0,
      indexes_added: 0,
      indexes_removed: 0,
      constraints_added: 0,
      constraints_removed: 0,
    });
  });

  it("an explained statement has a plan, and neither columns nor effects", async () => {
    const { results } = await json(post(`${TRANSACTION}/commit`, statements("EXPLAIN CREATE (n:E) RETURN n")));
    expect(results[0]).toMatchObject({ columns: [], data: [], plan: { root: { operatorType: expect.any(String) } } });
    const count = await json(post(`${TRANSACTION}/commit`, statements("MATCH (n:E) RETURN count(n)")));
    expect(count.results[0].data).toEqual([{ row: [0] }]);
  });

  it("what a row was deleted to is told after it", async () => {
    const { results, errors } = await json(post(`${TRANSACTION}/commit`, statements("CREATE (n) DELETE n RETURN n")));
    expect([results[0].data, errors[0].message]).toEqual([[{ row: [{}] }], "Node not found"]);
  });

  it("of a path, what was before what is deleted is shown, in every format", async () => {
    const statement = "CREATE p = (n {k: 1})-[r:R]->(m) DELETE r RETURN p";
    const resultDataContents = ["rest", "row"];
    const { results, errors } = await json(
      post(`${TRANSACTION}/commit`, { statements: [{ statement: `CYPHER 2.3 ${statement}`, resultDataContents }] }),
    );
    const [{ rest, row }] = results[0].data;
    expect([rest[0].length, row, errors[0].message]).toEqual([1, [[{ k: 1 }, {}]], "Relationship not found"]);
  });

  it("errors of the server carry a stack trace whose first line clients can read", async () => {
    const answer = await json(
      post(`${TRANSACTION}/commit`, { statements: [{ statement: "RETURN 1", resultDataContents: ["nope"] }] }),
    );
    expect(answer.errors[0].stackTrace).toMatch(/^java\.lang\.RuntimeException: Invalid result data content/);
  });
});

describe("what is refused before anything runs", () => {
  it.each([
    [{ "content-type": "application/xml" }, 415],
    [{ "content-type": "application/json", accept: "text/html" }, 406],
    [{ "content-type": "application/json", accept: "text/html, application/json;q=0.5" }, 200],
    [{ "content-type": "APPLICATION/JSON; charset=UTF-8" }, 200],
  ])("%j: %d", async (headers, status) => {
    const response = await post(`${TRANSACTION}/commit`, statements("RETURN 1"), { headers });
    expect(response.status).toBe(status);
  });

  it("bodies beyond the limit, also of a GET", async () => {
    const body = JSON.stringify(statements(`RETURN '${"x".repeat(20_000)}'`));
    const refused = await post(`${TRANSACTION}/commit`, body);
    expect(refused.status).toBe(413);
    expect((await json(Promise.resolve(refused))).errors[0].code).toBe("Graph.ClientError.Request.Invalid");
    const path = await begin();
    const status = await new Promise((resolve, reject) => {
      const headers = { "content-length": body.length };
      const request = http.request(server.baseUrl + path, { method: "GET", headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on("error", reject);
      request.end(body);
    });
    expect(status).toBe(413);
  });

  it("an unknown isolation level", async () => {
    const headers = { "content-type": "application/json", "x-isolation": "none" };
    const { errors } = await json(post(TRANSACTION, undefined, { headers }));
    expect(errors[0].code).toBe("Graph.ClientError.Request.Invalid");
  });

  it("integers beyond 64 bits in parameters, except in the old language, which gives them back", async () => {
    const run = (statement: string): Promise<ReturnType<typeof JSON.parse>> =>
      post(
        `${TRANSACTION}/commit`,
        `{"statements":[{"statement":"${statement}","parameters":{"p":9223372036854775808}}]}`,
      ).then((response) => response.text());
    expect(await run("RETURN {p} AS p")).toContain("Graph.ClientError.Statement.InvalidArguments");
    expect(await run("CYPHER 2.3 RETURN {p} AS p")).toContain('"row":[9223372036854775808]');
    const arithmetic = ["{p} + 1", "1 - {p}", "{p} * 1.5", "{p} ^ 2", "-{p}", "'a' + {p}"];
    const comparisons = ["{p} > 1", "1.5 <= {p}", "{p} = 1", "1 <> {p}", "{p} IN [1]", "CASE {p} WHEN 1 THEN 2 END"];
    const nested = ["[{p}] = [1]", "{a: 1} = {a: {p}}", "1 IN [2, {p}]"];
    const calls = ["abs({p})", "toString({p})", "range(1, {p})", "coalesce({p}, 1)", "sum({p})", "count(DISTINCT {p})"];
    const places = ["[1, 2][{p}]", "[1, 2][0..{p}]"];
    for (const use of [...arithmetic, ...comparisons, ...nested, ...calls, ...places]) {
      expect(await run(`CYPHER 2.3 RETURN ${use} AS p`)).toContain("Graph.ClientError.Statement.InvalidArguments");
    }
    const rows = ["WITH x AS y RETURN y < 1", "RETURN x ORDER BY x", "RETURN x ORDER BY x LIMIT 1", "RETURN max(x)"];
    const grouped = ["RETURN DISTINCT x", "RETURN [x], count(*)", "RETURN x UNION RETURN 1 AS x"];
    for (const rest of [...rows, ...grouped, "RETURN 1 SKIP {p}", "RETURN 1 LIMIT {p}"]) {
      expect(await run(`CYPHER 2.3 UNWIND [1, {p}] AS x ${rest}`)).toContain(
        "Graph.ClientError.Statement.InvalidArguments",
      );
    }
  });
});
