import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CompatibleServer } from "../graph-suites/compatible-server.ts";
import { Dice } from "./dice.ts";
import { generateRead, PARAMETERS, PEOPLE } from "./generated-reads.ts";
import { generateUpdate, THREE } from "./generated-updates.ts";
import { RealServer, whyNoRealServer } from "./real-server.ts";

/*
 * Generated statements, run by the real 2.3 server and by ours. Rows, statistics, the graph that is left and the codes
 * of errors must agree; texts of errors are compared elsewhere, by recordings. With TREFOIL_DIFFERENTIAL set to a number
 * so many statements are drawn with a seed of their own.
 */

const more = Number(process.env["TREFOIL_DIFFERENTIAL"] ?? 0);
const seed = more === 0 ? 23 : Date.now() % 1_000_000;
const reason = whyNoRealServer();

interface Outcome {
  /** Rows in any order, their numbers as text: 1.0 is not 1. */
  readonly results: readonly unknown[];
  readonly errors: readonly string[];
}

interface Statement {
  readonly statement: string;
  readonly parameters?: object;
  readonly includeStats?: boolean;
}

describe.skipIf(reason !== undefined)(
  `statements with seed ${seed}${reason === undefined ? "" : `: ${reason}`}`,
  () => {
    let servers: { readonly real: RealServer; readonly ours: CompatibleServer };

    beforeAll(async () => {
      const [real, ours] = await Promise.all([
        RealServer.start(),
        CompatibleServer.start({ "graph.auth_enabled": "false" }),
      ]);
      servers = { real, ours };
      await Promise.all([real.url, ours.url].map((url) => run(url, [{ statement: PEOPLE }], "commit")));
    }, 200_000);

    afterAll(async () => {
      await Promise.all([servers.real.stop(), servers.ours.stop()]);
    });

    test("reads", async () => {
      await compare(more === 0 ? 400 : more, generateRead, (statement) => [{ statement, parameters: PARAMETERS }]);
    }, 600_000);

    test("updates", async () => {
      await compare(more === 0 ? 200 : more, generateUpdate, (statement) => [
        { statement: "MATCH (n) OPTIONAL MATCH (n)-[r]-() DELETE n, r" },
        { statement: THREE },
        { statement, includeStats: true },
        { statement: "MATCH (n) OPTIONAL MATCH (n)-[r]->(m) RETURN size(labels(n)), n:P, n:New, n, type(r), r, m" },
      ]);
    }, 600_000);

    test("the order in which relationships of few are met", async () => {
      const outcomes = await Promise.all([servers.real.url, servers.ours.url].map((url) => rowsInOrder(url)));
      expect(outcomes[1]).toEqual(outcomes[0]);
      expect(outcomes[0]?.[0]).toHaveLength(8);
    }, 100_000);

    async function compare(
      count: number,
      generate: (dice: Dice) => string,
      around: (statement: string) => readonly Statement[],
    ): Promise<void> {
      const dice = new Dice(seed);
      const differences: string[] = [];
      for (let index = 0; index < count; index += 1) {
        const text = generate(dice);
        const statements = around(text);
        const [expected, actual] = await Promise.all([
          run(servers.real.url, statements, "roll back"),
          run(servers.ours.url, statements, "roll back"),
        ]);
        if (!agree(expected, actual)) {
          differences.push(`${text}\n  real: ${JSON.stringify(expected)}\n  ours: ${JSON.stringify(actual)}`);
        }
      }
      expect(differences.slice(0, 20).join("\n")).toBe("");
    }
  },
);

/** Rows as they come, of relationships that were made one by one: one to itself, one deleted, two types both ways. */
async function rowsInOrder(url: string): Promise<readonly unknown[]> {
  const made = [
    "CREATE (:Hub {i: 'hub'})",
    ...Array.from({ length: 8 }, (_unused, i) =>
      i % 3 === 0
        ? `MATCH (h:Hub) CREATE (h)<-[:IN {i: ${i}}]-(:Spoke {i: ${i}})`
        : `MATCH (h:Hub) CREATE (h)-[:OUT {i: ${i}}]->(:Spoke {i: ${i}})`,
    ),
    "MATCH (h:Hub) CREATE (h)-[:OUT {i: 8}]->(h)",
    "MATCH (:Hub)-[r {i: 2}]-() DELETE r",
  ];
  const asked = ["-[r]-", "-[r]->", "<-[r]-", "-[r:OUT]->", "-[r:OUT|IN]-", "-[*1..1]-"];
  const orders: unknown[] = [];
  for (const statement of [...made, ...asked.map((step) => `MATCH (h:Hub)${step}(o) WITH o RETURN o.i`)]) {
    const response = await fetch(`${url}/db/data/transaction/commit`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ statements: [{ statement }] }),
    });
    const answer = (await response.json()) as Answer;
    expect(answer.errors).toEqual([]);
    orders.push(answer.results[0]?.data.map(({ row }) => row[0]));
  }
  return orders.slice(made.length);
}

/** Where the real server breaks down, any error will do. */
function agree(expected: Outcome, actual: Outcome): boolean {
  return expected.errors.some((code) => code.startsWith("DatabaseError"))
    ? actual.errors.length > 0
    : JSON.stringify(expected) === JSON.stringify(actual);
}

async function run(url: string, statements: readonly Statement[], end: "commit" | "roll back"): Promise<Outcome> {
  const response = await fetch(`${url}/db/data/transaction${end === "commit" ? "/commit" : ""}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ statements }),
  });
  const text = await response.text();
  if (response.status >= 500) {
    return { results: [], errors: ["DatabaseError"] };
  }
  const answer = JSON.parse(quoteNumbers(text)) as Answer;
  const errors = answer.errors.map(({ code }) => code.replace(/^(Neo|Graph)\./u, ""));
  if (answer.commit !== undefined && errors.length === 0) {
    await fetch(answer.commit.replace(/\/commit$/u, ""), { method: "DELETE" });
  }
  // What came before an error depends on which row was met first.
  const results = errors.length > 0 ? [] : answer.results.map(({ data, stats }) => [sortedRows(data), stats ?? null]);
  return { results: withoutOrder(results) as readonly unknown[], errors };
}

interface Answer {
  readonly commit?: string;
  readonly results: readonly {
    readonly data: readonly { readonly row: readonly unknown[] }[];
    readonly stats?: object;
  }[];
  readonly errors: readonly { readonly code: string }[];
}

/** Numbers become strings of their text; what is in strings stays. */
function quoteNumbers(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu, (token) =>
    token.startsWith('"') ? token : `"#${token}"`,
  );
}

function sortedRows(data: Answer["results"][number]["data"]): readonly string[] {
  return data.map(({ row }) => JSON.stringify(withoutOrder(row))).toSorted();
}

/** The same value with its maps in the order of their keys. */
function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutOrder);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, withoutOrder(each)]),
  );
}
