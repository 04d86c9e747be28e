import { must, systemClock } from "@trefoil/base";
import { QueryError } from "@trefoil/cypher";
import { type GraphStore, openSharedGraph, type Transaction } from "@trefoil/graph-store";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { plain, TestGraph } from "../statements/test-graph.ts";
import { createEngine } from "../session.ts";
import { type Value } from "../values/value.ts";
import { NotMoved, type ReadJob, ReadPool } from "./read-pool.ts";
import { isStarved } from "./standing-aside.ts";
import { threadOnThisThread } from "./testing/thread-on-this-thread.ts";

const SET_UP = [
  `UNWIND range(0, 599) AS i CREATE (:N:M {i: i, text: 'text ' + toString(i % 50), half: i / 2.0, flag: i % 2 = 0,
     list: [i, i + 1], day: date('2020-01-01') + duration({days: i % 9}), big: 9007199254740993 + i})`,
  "MATCH (a:N), (b:N) WHERE b.i IN [a.i + 1, (a.i * 7) % 600] CREATE (a)-[:R {w: a.i}]->(b)",
  "CREATE INDEX ON :M(i)",
];

let graph: TestGraph;
let pool: ReadPool;

beforeAll(async () => {
  graph = await TestGraph.open(...SET_UP);
});
beforeEach(() => {
  pool = new ReadPool(1, () => threadOnThisThread());
});
afterEach(() => {
  pool.close();
});
afterAll(() => graph.store.close());

describe("reads in another thread", () => {
  test.each([
    "MATCH (n:N) RETURN n.text AS t, count(*) AS c, sum(n.half) AS s, max(n.big) AS b ORDER BY t",
    "MATCH (n:N) WHERE n.i < 300 RETURN n, n.i, n.text, n.half, n.flag, n.list, n.day, n.big, {key: [n, n.day], none: null}",
    "MATCH p = (a:N {i: 3})-[:R*1..3]->(b) RETURN p, relationships(p), length(p)",
    "MATCH (a:N)-[r:R]->(b:M) WHERE a.text = $text AND r.w > 400 RETURN r, startNode(r), b.i ORDER BY b.i",
    "MATCH (n:M) WHERE n.i IN [590, 3, 700, 3] RETURN n.i, n.text",
    "MATCH (n:M) WHERE n.i > 590 RETURN n.i",
    "RETURN point({x: 1, y: 2}), duration('P1DT2S'), datetime('2020-01-01T10:00[Europe/Paris]'), 1.0, 0.0 / 0.0",
  ])("give what they give in this one: %s", async (text) => {
    const parameters = new Map<string, Value>([["text", "text 7"]]);
    const here = await graph.run(text, Object.fromEntries(parameters));
    expect(await plainRows(text, parameters)).toEqual(here.rows);
  });

  test("fail as they do in this one", async () => {
    await expect(rowsOf("MATCH (n:N) RETURN 1 / (n.i - n.i)")).rejects.toMatchObject({
      name: "QueryError",
      code: "ClientError.Statement.ArithmeticError",
      phase: "runtime",
    });
    expect(await rowsOf("RETURN 1")).toEqual([[1]]);
  });

  test("are refused where the other thread does not know what they mention", async () => {
    await expect(rowsOf("RETURN functionOfAnExtension(1)")).rejects.toBeInstanceOf(NotMoved);
    expect(await rowsOf("RETURN 1")).toEqual([[1]]);
  });

  test("are refused while every thread is busy, and free it when they are given up", async () => {
    const first = run("MATCH (n:N), (m:N) RETURN n.i, m.i");
    expect((await first.next()).value).toHaveLength(1024);
    expect(pool.hasFree).toBe(false);
    await expect(rowsOf("RETURN 1")).rejects.toBeInstanceOf(NotMoved);
    await first.return();
    expect(pool.hasFree).toBe(true);
    expect(await rowsOf("RETURN 2")).toEqual([[2]]);
  });

  test("leave one processor to this thread while it has much to do", async () => {
    let isMainBusy = true;
    const three = new ReadPool(
      3,
      () => threadOnThisThread(),
      () => isMainBusy,
    );
    const both = ["MATCH (n:N), (m:N) RETURN n.i", "MATCH (n:N), (m:N) RETURN m.i"].map((text) =>
      run(text, new Map(), undefined, three),
    );
    await Promise.all(both.map((rows) => rows.next()));
    expect(three.hasFree).toBe(false);
    isMainBusy = false;
    expect(three.hasFree).toBe(true);
    isMainBusy = true;
    await both[0]?.return();
    expect(three.hasFree).toBe(true);
    await both[1]?.return();
    three.close();
  });

  test("end when they are cancelled", async () => {
    const stop = new AbortController();
    const counting = rowsOf("MATCH (n:N), (m:N), (o:N) RETURN count(n.half + m.half + o.half)", new Map(), stop.signal);
    setTimeout(() => stop.abort(), 20);
    const failure: unknown = await counting.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(QueryError);
    expect(failure).toMatchObject({ code: "TransientError.Transaction.Terminated" });
  });

  test.each([
    ["cancelled", { signal: AbortSignal.timeout(5), timeoutMs: undefined }],
    ["out of time", { signal: undefined, timeoutMs: 5 }],
  ])("are not waited for when they are %s and their thread does not get to run", async (_what, stop) => {
    let ended = 0;
    const silent = new ReadPool(1, () => ({ ...threadOnThisThread(), send: () => {}, end: () => (ended += 1) }));
    const job = { text: "MATCH (n:N) RETURN count(*)", parameters: new Map<string, Value>(), memoryBytes: 0, ...stop };
    await expect(runIn(graph.store, graph.store.begin(), job, silent).next()).rejects.toMatchObject({
      code: "TransientError.Transaction.Terminated",
    });
    expect(ended).toBe(1);
    expect(silent.hasFree).toBe(true);
    silent.close();
  });

  test("see what is committed before they begin, statement by statement", async () => {
    expect(await rowsOf("MATCH (n:N) RETURN count(*)")).toEqual([[600]]);
    await graph.run("MATCH (n:N) WHERE n.i < 10 DETACH DELETE n");
    await graph.run("CREATE (:N {text: 'späť', i: 77777})");
    expect(await rowsOf("MATCH (n:N) RETURN count(*)")).toEqual([[591]]);
    expect(await rowsOf("MATCH (n:N {i: 77777}) RETURN n.text")).toEqual([["späť"]]);
    expect(await rowsOf("MATCH (:N)-[r:R]->() RETURN count(r) > 1000")).toEqual([[true]]);
  });

  test("go on in this thread when the other one ends, or say so once rows are out", async () => {
    let end = (): void => {};
    const mortal = new ReadPool(1, () => {
      const thread = threadOnThisThread();
      return { ...thread, listen: (onAnswer, onEnd) => (thread.listen(onAnswer, onEnd), (end = onEnd)) };
    });
    const rows = run("MATCH (n:N), (m:N) RETURN n.i, m.i", new Map(), undefined, mortal);
    await rows.next();
    end();
    const drained = (async () => {
      for await (const batch of rows) {
        expect(batch.length).toBeGreaterThan(0);
      }
    })();
    await expect(drained).rejects.toMatchObject({ code: "TransientError.General.OutOfMemoryError" });
    expect(mortal.hasFree).toBe(true);
    mortal.close();
  });

  test("begin again in a thread that competes when the one that stands aside does not get to run", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const started: boolean[] = [];
    const ended: boolean[] = [];
    const crowded = new ReadPool(1, (standsAside) => {
      started.push(standsAside);
      const thread = threadOnThisThread();
      return {
        ...thread,
        send: (message) => (standsAside ? vi.advanceTimersByTime(1000) : thread.send(message)),
        isStarved: () => standsAside,
        end: () => (ended.push(standsAside), thread.end()),
      };
    });
    try {
      expect(await rowsOf("MATCH (n:N) RETURN max(n.i) > 1", new Map(), undefined, crowded)).toEqual([[true]]);
      expect(started).toEqual([true, false]);
      expect(ended).toEqual([true]);
      expect(crowded.hasFree).toBe(true);
      const stopped = AbortSignal.abort();
      await expect(
        rowsOf("MATCH (n:N), (m:N) RETURN count(n.half + m.half)", new Map(), stopped, crowded),
      ).rejects.toMatchObject({ code: "TransientError.Transaction.Terminated" });
    } finally {
      vi.useRealTimers();
      crowded.close();
    }
  });

  test.each([
    ["waits nearly all the time", { ranNs: 0.01e9, waitedNs: 0.99e9 }, true],
    ["gets its share beside others", { ranNs: 0.2e9, waitedNs: 0.8e9 }, false],
    ["has little to do", { ranNs: 0, waitedNs: 0.01e9 }, false],
  ])("one that %s", (_what, times, expected) => {
    expect(isStarved(times)).toBe(expected);
  });

  test("are planned with the indexes of this one", () => {
    const transaction = graph.store.begin();
    const shared = must(graph.store.share(transaction.openView()), "nothing is newer than the base");
    const engine = createEngine({ store: openSharedGraph(shared, systemClock), clock: systemClock });
    expect(engine.inspect("MATCH (n:M) WHERE n.i = 3 RETURN n").plan.children[0]?.operator).toBe("NodeIndexSeek");
    transaction.rollback();
  });

  test("need a view that is the base alone", async () => {
    const transaction = graph.store.begin();
    await graph.runIn(transaction, "CREATE (:Mine)");
    const view = transaction.openView();
    expect(graph.store.share(view)).toBeUndefined();
    transaction.rollback();
  });
});

function run(
  text: string,
  parameters: ReadonlyMap<string, Value> = new Map(),
  signal?: AbortSignal,
  threads: ReadPool = pool,
): ReturnType<ReadPool["run"]> {
  return runIn(
    graph.store,
    graph.store.begin(),
    { text, parameters, signal, timeoutMs: undefined, memoryBytes: 0 },
    threads,
  );
}

async function* runIn(
  store: GraphStore,
  transaction: Transaction,
  job: Omit<ReadJob, "graph">,
  threads: ReadPool,
): ReturnType<ReadPool["run"]> {
  const view = transaction.openView();
  try {
    const shared = store.share(view);
    expect(shared).toBeDefined();
    yield* threads.run({ ...job, graph: shared! });
  } finally {
    transaction.rollback();
  }
}

async function rowsOf(...args: Parameters<typeof run>): Promise<readonly (readonly Value[])[]> {
  const rows: (readonly Value[])[] = [];
  for await (const batch of run(...args)) {
    rows.push(...batch);
  }
  return rows;
}

async function plainRows(text: string, parameters: ReadonlyMap<string, Value>): Promise<unknown> {
  const rows = await rowsOf(text, parameters);
  return rows.map((row) => row.map(plain));
}
