import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestGraph } from "../statements/test-graph.ts";
import { Pace } from "./pace.ts";
import { TURNS_PER_TICK } from "./signals.ts";

/** Garbage is collected now and then; most gaps tell what a statement does. */
const QUANTILE = 0.9;
const ATTEMPTS = 4;
const LONGEST_SLICE_MS = 10;

describe("pace", () => {
  let graph: TestGraph;

  beforeAll(async () => {
    graph = await TestGraph.open(
      "UNWIND range(0, 29999) AS i CREATE (:N {i: i, text: 'text number ' + toString((i * 7919) % 30000), list: [i, i]})",
      "MATCH (n:N) MATCH (m:N) WHERE id(m) IN [(n.i * 7) % 30000, (n.i * 31) % 30000, (n.i * 101) % 30000] CREATE (n)-[:R]->(m)",
    );
  }, 60_000);

  afterAll(() => graph.store.close());

  it.each([
    ["cheap turns", "MATCH (a:N)-[:R]->(b)-[:R]->(c)-[:R]->(d) WHERE d.i % 2 = 0 RETURN count(a.i + b.i)"],
    [
      "dear turns",
      "MATCH (n:N) UNWIND range(1, 10) AS k RETURN count(DISTINCT replace(n.text, 'number', toString(k)) + n.text)",
    ],
    ["a sort", "MATCH (n:N) WITH n ORDER BY n.text, n.i DESC RETURN count(n)"],
    ["groups", "MATCH (a:N)-[:R]->(b) RETURN count(*) AS c, b.text AS t, collect(a.i) AS l ORDER BY c DESC, t LIMIT 3"],
    ["a join", "MATCH (a:N), (b:N) WHERE a.text = b.text AND a.i >= 0 RETURN count(*)"],
  ])("lets others have their turn every few milliseconds: %s", { timeout: 60_000 }, async (_name, text) => {
    // At first much is still being compiled.
    await graph.run(text);
    let longestMs = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < ATTEMPTS && longestMs >= LONGEST_SLICE_MS; attempt++) {
      const gaps = (await gapsDuring(() => graph.run(text))).sort((left, right) => left - right);
      expect(gaps.length).toBeGreaterThan(3);
      longestMs = gaps[Math.floor(gaps.length * QUANTILE)] as number;
    }
    expect(longestMs).toBeLessThan(LONGEST_SLICE_MS);
  });

  it("stops in time where turns are dear from the first on", async () => {
    let calls = 0;
    graph.engine.functions.define({
      name: "test.dear",
      parameters: [],
      returns: "integer",
      call: () => {
        spend(1);
        return ++calls;
      },
    });
    const text = "UNWIND range(1, 3000) AS i RETURN sum(test.dear())";
    await expect(graph.run(text, {}, { timeoutMs: 10 })).rejects.toMatchObject({
      code: "TransientError.Transaction.Terminated",
    });
    expect(calls).toBeLessThan(1000);
  });

  it("goes on within a slice while turns are cheap, and no further", () => {
    const pace = new Pace();
    const more = pace.turnsWithinSlice() as number;
    expect(more).toBeGreaterThan(TURNS_PER_TICK);
    pace.measured(() => spend(4));
    expect(pace.turnsWithinSlice()).toBeUndefined();
    expect(pace.turnsAfterSlice()).toBeLessThan(TURNS_PER_TICK + more);
  });

  it("makes fewer turns where they take long, and grows by no more than four times", () => {
    const pace = new Pace();
    expect(pace.measured(() => spend(8))).toBe(8);
    const fewer = pace.turnsAfterSlice();
    expect(fewer).toBeLessThan(TURNS_PER_TICK / 3);
    expect(pace.turnsAfterSlice()).toBeLessThanOrEqual(fewer * 4);
  });
});

/** Keeps the processor busy for so many milliseconds, and gives them back. */
function spend(ms: number): number {
  for (const untilMs = performance.now() + ms; performance.now() < untilMs;) {
    // busy
  }
  return ms;
}

/** What was taken of the processor before the event loop came round again, each time, while `work` went on. */
async function gapsDuring(work: () => Promise<unknown>): Promise<number[]> {
  const gaps: number[] = [];
  let isDone = false;
  const watching = (async () => {
    let last = process.cpuUsage();
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      // Not the time of day: other processes have their turn as well.
      gaps.push(process.cpuUsage(last).user / 1000);
      last = process.cpuUsage();
    }
  })();
  await work();
  isDone = true;
  await watching;
  return gaps;
}
