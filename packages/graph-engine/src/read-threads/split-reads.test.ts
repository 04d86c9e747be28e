import { ManualClock, must } from "@trefoil/base";
import { QueryError } from "@trefoil/cypher";
import { type Transaction } from "@trefoil/graph-store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FunctionRegistry } from "../functions/function-registry.ts";
import { PatternCache } from "../functions/patterns/pattern-cache.ts";
import { statements } from "../interpreter/testing/statement-arbitraries.ts";
import { statisticsOf } from "../logical-plan/plan-statistics.ts";
import { allRules } from "../optimizer/optimizer.ts";
import { prepareStatement } from "../prepare-statement.ts";
import { ProcedureRegistry } from "../procedures/procedure-registry.ts";
import { type PreparedStatement } from "../runtime/prepared-statement.ts";
import { Profile } from "../runtime/profile.ts";
import { type StatementContext } from "../runtime/statement-context.ts";
import { plain, TestGraph } from "../statements/test-graph.ts";
import { LongReads, MovedRead } from "./moved-read.ts";
import { ReadPool } from "./read-pool.ts";
import { threadOnThisThread } from "./testing/thread-on-this-thread.ts";

const SET_UP = [
  `UNWIND range(0, 299) AS i CREATE (n:N:M {i: i, text: 'text ' + toString(i * 7 % 50), half: i / 2.0, whole: toFloat(i % 9),
     third: i / 3.0, day: date('2020-01-01') + duration({days: i % 9}), mixed: CASE WHEN i % 2 = 0 THEN i ELSE toFloat(i) END,
     long: duration({days: i}), big: 4611686018427387904, p: i % 4, q: CASE i % 5 WHEN 0 THEN 'x' WHEN 1 THEN 1.0 WHEN 2 THEN [1, i] END})
   FOREACH (each IN CASE WHEN i % 3 = 0 THEN [n] ELSE [] END | SET each:A)
   FOREACH (each IN CASE WHEN i > 250 THEN [n] ELSE [] END | SET each:B)`,
  "MATCH (a:N), (b:N) WHERE b.i IN [a.i + 1, (a.i * 7) % 300] CREATE (a)-[:R {w: a.i, p: a.i % 3}]->(b)",
  "MATCH (a:B), (b:A) WHERE b.i % 60 = a.i % 60 CREATE (b)-[:S]->(a)",
  "MATCH (n:N) WHERE n.i % 17 = 3 DETACH DELETE n",
];

let graph: TestGraph;
let pool: ReadPool;
let partsAsked = 0;
const known = new LongReads();

beforeAll(async () => {
  graph = await TestGraph.open(...SET_UP);
  pool = new ReadPool(2, () =>
    threadOnThisThread((message) => {
      partsAsked += message.kind === "run" && message.part !== undefined ? 1 : 0;
    }),
  );
});
afterAll(async () => {
  pool.close();
  await graph.store.close();
});

describe("reads in several threads give what they give in one, row for row", () => {
  test.each([
    // Counts, exact sums, the least and the greatest.
    "MATCH (n:N) RETURN count(*), count(n.q), sum(n.i), avg(n.i), sum(n.whole), avg(n.mixed), min(n.half), max(n.text)",
    "MATCH (n:N) WHERE n.i < 0 RETURN count(*), sum(n.i), avg(n.i), min(n.i), collect(n.i), count(DISTINCT n)",
    "MATCH (n:N) RETURN min(n.q), max(n.q), min(n.mixed), max(n)",
    "MATCH (a:N)-[:R]->(b) WHERE b.i > 7 RETURN a.p AS p, count(*), sum(b.i), min(b.day), collect(b.i)",
    "MATCH (a)-[:R]->(b)-[:R]->(c) WHERE c.p > 1 AND b.p > 0 RETURN count(*)",
    "MATCH (a:N)-[:R]->(b)-[:R]->(c) WHERE c.i > 20 RETURN a.text, a.p, count(c)",
    "MATCH (a:N)-[:R]->(b)-[:R]->(c)-[:R]->(d)<-[:R]-(a) RETURN a.p, count(*), sum(c.i)",
    // What sees each value once.
    "MATCH (a:N)-[:R]->(b) RETURN count(DISTINCT b), count(DISTINCT b.text), sum(DISTINCT b.third), avg(DISTINCT b.half)",
    "MATCH (a:A)-[r]->(b) RETURN a.p, count(DISTINCT b), count(DISTINCT r), collect(DISTINCT b.text), stDev(DISTINCT b.i)",
    "MATCH (a:N) OPTIONAL MATCH (a)-[:S]->(b) RETURN a.p, count(DISTINCT b), count(b), collect(DISTINCT b)",
    "MATCH (n:N) RETURN DISTINCT n.text, n.p",
    "MATCH (n:N) WITH DISTINCT n.p AS p, n AS n RETURN p, count(n)",
    // Keys of every kind.
    "MATCH (a:N)-[r:R]->(b) RETURN a, count(r)",
    "MATCH (n:N) RETURN n.mixed, n.q, n.day, count(*)",
    "MATCH (n:N) RETURN {p: n.p, l: [n.p]} AS map, count(*) AS c ORDER BY c DESC, map.p",
    // Rows as they are, ordered, cut.
    "MATCH (n:N) WHERE n.i % 5 = 0 RETURN n, n.i, n.text, n.q",
    "MATCH p = (a:B)-[:R*1..2]->(b) RETURN p, a, length(p), relationships(p)",
    "MATCH ()-[r:R]->(b) WHERE r.w > 200 RETURN r, b.i",
    "MATCH (n) RETURN n.i ORDER BY n.p, n.text DESC LIMIT 17",
    "MATCH (n:N) RETURN n.i ORDER BY n.p SKIP 5 LIMIT $limit",
    "MATCH (n:N) RETURN n.i ORDER BY n.text DESC",
    "MATCH (n:N) RETURN n.i LIMIT 45",
    "MATCH (n:N) RETURN n.i SKIP 30 LIMIT 45",
    "MATCH (n:N) RETURN 1 LIMIT 0",
    "MATCH (n:N) UNWIND [n.p, 7] AS x RETURN x, EXISTS { (n)-[:S]->() } AS e, COUNT { (n)--() } AS c",
    "MATCH (n:Unknown) RETURN count(*), sum(n.i)",
    "MATCH (a:N) WITH a.p AS p, count(*) AS c MATCH (b:B) WHERE b.p = p RETURN p, c, count(b)",
  ])("%s", async (text) => {
    const parameters = { limit: 20 };
    const asked = partsAsked;
    const rows = await rowsInParts(text, parameters);
    expect(partsAsked).toBeGreaterThan(text.includes("Unknown") ? asked - 1 : asked + 1);
    const here = await graph.run(text, parameters);
    expect(rows).toEqual(here.rows);
  });

  test("whatever they are", { timeout: 60_000 }, async () => {
    const asked = partsAsked;
    const runs = Number(process.env["TREFOIL_DIFFERENTIAL_RUNS"] ?? 100);
    await fc.assert(
      fc.asyncProperty(statements(true), async (text) => {
        fc.pre(canBeSplit(text));
        const whole = await graph.run(text).then((outcome) => outcome.rows, codeOf);
        const inParts = await rowsInParts(text).catch(codeOf);
        expect(inParts).toEqual(whole);
      }),
      { numRuns: runs, interruptAfterTimeLimit: 45_000 },
    );
    expect(partsAsked).toBeGreaterThan(asked + runs);
  });
});

describe("reads in several threads", () => {
  test("end with the failure that a single one meets first", async () => {
    for (const text of [
      "MATCH (n:N) RETURN sum(n.i / (n.i - 200))",
      "MATCH (n:N) RETURN sum(CASE n.i WHEN 100 THEN 'text' ELSE n.i / (n.i - 200) END)",
      "MATCH (n:N) RETURN collect(CASE n.i WHEN 200 THEN n.text - 1 WHEN 290 THEN 1 / 0 END)",
    ]) {
      const whole: unknown = await graph.run(text).catch(messageOf);
      expect(typeof whole).toBe("string");
      expect(await rowsInParts(text).catch(messageOf)).toBe(whole);
    }
  });

  test.each([
    "MATCH (n:N) RETURN sum(n.third), avg(n.third)",
    "MATCH (n:N) RETURN sum(n.long)",
    "MATCH (n:N) WHERE n.i < 1 RETURN sum(n.big)",
    "MATCH (n:N) RETURN sum(CASE n.i WHEN 5 THEN 0.0 / 0.0 ELSE 1 END)",
  ])("are given up where the result would be another one: %s", async (text) => {
    const prepared = prepare(text);
    const rows = await rowsOf(prepared, {});
    const whole = await graph.run(text);
    expect(rows).toEqual(whole.rows);
    expect(known.whole.has(prepared)).toBe(true);
  });

  test.each([
    "MATCH (n:N) RETURN percentileDisc(n.i, 0.5)",
    "MATCH (n:N) RETURN stDev(n.i)",
    "MATCH (n:N) WHERE rand() < 2 RETURN count(*)",
    "MATCH (n:N) RETURN n.i UNION MATCH (n:M) RETURN n.i",
    "UNWIND [1, 2] AS x MATCH (n:N) RETURN count(*)",
    "MATCH (n:N {i: 5}) SET n.x = 1 RETURN n",
    "OPTIONAL MATCH (n:N) RETURN count(n)",
  ])("are not for what does not begin with a scan, or cannot be merged: %s", (text) => {
    expect(prepare(text).split()).toBeUndefined();
  });

  test("are shown in the plan where they pay", async () => {
    const heavy = "MATCH (a:N)--(b)--(c)--(d)--(e) RETURN a.p, count(DISTINCT e)";
    const operators = (text: string): readonly string[] => namesIn(graph.engine.inspect(text).plan);
    expect(operators(heavy)).toEqual(
      expect.arrayContaining([
        "EagerAggregation(Final)",
        "ParallelGather",
        "EagerAggregation(Partial)",
        "PartitionedNodeByLabelScan",
      ]),
    );
    expect(operators("MATCH (n:N) RETURN count(*)")).not.toContain("ParallelGather");
    expect(operators("MATCH (a:N)--(b)--(c)--(d)--(e) RETURN a, e")).not.toContain("ParallelGather");
    await expect(graph.run(`PROFILE ${heavy}`)).resolves.toMatchObject({ summary: { profiled: true } });
  });

  test("end when they are cancelled, and leave the threads free", async () => {
    const stop = new AbortController();
    const text = "MATCH (a:N)--(b)--(c)--(d)--(e)--(f)--(g) WHERE a.i + b.i < g.i RETURN count(*), collect(g.text)[0]";
    const counting = rowsInParts(text, {}, { signal: stop.signal }).catch((error: unknown) => error);
    setTimeout(() => stop.abort(), 30);
    expect(await counting).toBeInstanceOf(QueryError);
    expect(await counting).toMatchObject({ code: "TransientError.Transaction.Terminated" });
    expect(pool.hasFree).toBe(true);
    expect(await rowsInParts("MATCH (n:B) RETURN count(*)")).toHaveLength(1);
  });

  test("end at the time limit", async () => {
    const clock = new ManualClock(0);
    const text = "MATCH (a:N)--(b)--(c)--(d)--(e)--(f)--(g) WHERE a.i + b.i < g.i RETURN count(*), collect(g.text)[0]";
    const counting = rowsInParts(text, {}, { deadlineMs: 1, now: () => clock.now() }).catch((error: unknown) => error);
    clock.advance(10);
    expect(await counting).toMatchObject({ code: "TransientError.Transaction.Terminated" });
  });

  test("look no further once there are rows enough", async () => {
    const asked = partsAsked;
    expect(await rowsInParts("MATCH (n:N) RETURN n.i LIMIT 3")).toHaveLength(3);
    expect(partsAsked - asked).toBeLessThan(8);
  });

  test("are run whole where each part has too little memory", async () => {
    const text = "MATCH (a:N)--(b)--(c)--(d)--(e)--(f) RETURN size(tail(collect([a.text, b.text, c.text, d.text])))";
    const prepared = prepare(text);
    // The thread in which it is run whole has its limit already.
    const rows = await rowsOf(prepared, {}, { memoryBytes: 1 });
    const whole = await graph.run(text);
    expect(rows).toEqual(whole.rows);
    expect(known.whole.has(prepared)).toBe(true);
  });

  test("are planned anew when other threads plan them in another way", async () => {
    const prepared = prepare("MATCH (n:N) RETURN count(*)");
    const split = must(prepared.split(), "it begins with a scan");
    const old = { ...prepared, split: () => ({ ...split, pays: true, source: "another" }) };
    expect(await rowsOf(old, {})).toEqual((await graph.run("MATCH (n:N) RETURN count(*)")).rows);
    expect(known.outdated.has(old)).toBe(true);
  });

  test("are worth another thread's graph together when none of them is alone", async () => {
    const empty = new ReadPool(1, () => threadOnThisThread());
    const itsKnown = new LongReads();
    const transaction = graph.store.begin();
    const worthwhile = (): boolean => {
      const prepared = prepare("MATCH (n:N) RETURN count(*)");
      const statement = statementIn(transaction, prepared, {});
      const options = { deadlineMs: Number.POSITIVE_INFINITY, now: () => 0, memoryBytes: 0, signal: undefined };
      const moved = new MovedRead({ pool: empty, store: graph.store, known: itsKnown }, prepared, statement, options);
      // Long, and not as long as making the graph ready there.
      return moved.isWorthwhile(20.1);
    };
    expect([worthwhile(), worthwhile(), worthwhile()]).toEqual([false, true, false]);
    transaction.rollback();
    empty.close();
  });
});

interface Limits {
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  readonly now?: () => number;
  readonly memoryBytes?: number;
}

function prepare(text: string): PreparedStatement {
  const catalogs = { procedures: new ProcedureRegistry([], () => {}), functions: new FunctionRegistry(() => {}) };
  const statistics = statisticsOf(graph.store);
  const prepared = prepareStatement(text, { mode: "modern" }, catalogs, statistics, allRules);
  const split = prepared.split();
  // As if there were much to do.
  return split === undefined ? prepared : { ...prepared, split: () => ({ ...split, pays: true }) };
}

function canBeSplit(text: string): boolean {
  try {
    return prepare(text).split() !== undefined;
  } catch {
    return false;
  }
}

function rowsInParts(
  text: string,
  parameters: Readonly<Record<string, number>> = {},
  limits?: Limits,
): Promise<readonly (readonly unknown[])[]> {
  return rowsOf(prepare(text), parameters, limits);
}

async function rowsOf(
  prepared: PreparedStatement,
  parameters: Readonly<Record<string, number>>,
  { signal, deadlineMs = Number.POSITIVE_INFINITY, now = () => 0, memoryBytes = 0 }: Limits = {},
): Promise<readonly (readonly unknown[])[]> {
  const { store } = graph;
  const transaction = store.begin();
  const statement = statementIn(transaction, prepared, parameters);
  try {
    const moved = new MovedRead({ pool, store, known }, prepared, statement, { signal, deadlineMs, now, memoryBytes });
    const batches = must(await moved.run(), "threads are free");
    const rows: unknown[][] = [];
    for await (const batch of batches) {
      rows.push(...batch.map((row) => row.map(plain)));
    }
    return rows;
  } finally {
    transaction.rollback();
  }
}

function statementIn(
  transaction: Transaction,
  prepared: PreparedStatement,
  parameters: Readonly<Record<string, number>>,
): StatementContext {
  const view = transaction.openView();
  const common = { view, tokens: graph.store.tokens, mode: prepared.mode, transaction };
  const context = {
    ...common,
    statementTimeMs: 0,
    transactionTimeMs: 0,
    clock: new ManualClock(0),
    random: () => 0.5,
    patterns: new PatternCache(),
  };
  return {
    ...common,
    context,
    parameters: new Map(Object.entries(parameters)),
    hasBegun: true,
    loadCsv: { urls: "none", root: "/" } as const,
    profile: new Profile(0),
  };
}

function namesIn(plan: ReturnType<TestGraph["engine"]["inspect"]>["plan"]): readonly string[] {
  return [plan.operator, ...plan.children.flatMap(namesIn)];
}

function codeOf(error: unknown): string {
  return error instanceof QueryError ? error.code : String(error);
}

function messageOf(error: unknown): string {
  return error instanceof QueryError ? error.message : String(error);
}
