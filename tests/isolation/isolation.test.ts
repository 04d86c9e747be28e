import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "@trefoil/base";
import { createEngine } from "@trefoil/graph-engine";
import { openGraphStore } from "@trefoil/graph-store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AnomalyKind, forbidden, type Level } from "./history.ts";
import { judgeHistory } from "./judge-history.ts";
import { rowsOf, type Run, type RunOptions, runWorkload } from "./run-workload.ts";
import { type Workload, workloads } from "./workloads.ts";

/** How often everything is done again with other seeds; more in the long run. */
const ROUNDS = Number(process.env["TREFOIL_ISOLATION_ROUNDS"] ?? 1);
const LEVELS: readonly Level[] = ["read-committed", "snapshot", "serializable"];
const CONFLICTS = [
  "TransientError.Transaction.DeadlockDetected",
  "TransientError.Transaction.Outdated",
  "committed",
  "given up",
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "trefoil-isolation-"));
});
afterAll(() => rm(folder, { recursive: true }));

let runs = 0;
/** On a disk: commits that wait for one are the ones that overtake each other. */
async function run(workload: Workload, options: Partial<RunOptions>): Promise<Run> {
  const store = await openGraphStore({ directory: path.join(folder, String(runs++)), clock: systemClock });
  try {
    const engine = createEngine({ store, clock: systemClock });
    for (const text of workload.setUp) {
      const transaction = store.begin();
      await rowsOf(engine, transaction, text, {});
      await transaction.commit();
    }
    const whole = {
      isolation: "read-committed",
      seed: 1,
      clients: 8,
      transactionsPerClient: 25,
      statements: 4,
    } as const;
    return await runWorkload(store, engine, workload, { ...whole, ...options });
  } finally {
    await store.close();
  }
}

const seeds = Array.from({ length: ROUNDS }, (_, round) => round + 1);

describe.each(LEVELS)("at %s", (isolation) => {
  // To read a register and then write it takes two statements, of which read-committed promises nothing together.
  const promised = workloads.filter(({ register }) => register !== true || isolation !== "read-committed");
  describe.each(promised)("$name", (workload) => {
    test.each([
      { clients: 8, statements: 4 },
      { clients: 16, statements: 1 },
    ])("$clients clients with up to $statements statements: nothing that is forbidden", async (shape) => {
      for (const seed of seeds) {
        const { history, outcomes } = await run(workload, { ...shape, isolation, seed });
        const found = judgeHistory(history, workload.ordered);
        const kinds: readonly AnomalyKind[] = forbidden[isolation];
        expect(found.filter(({ kind }) => kinds.includes(kind))).toEqual([]);
        expect([...outcomes.keys()].filter((outcome) => !CONFLICTS.includes(outcome))).toEqual([]);
        expect(outcomes.get("committed") ?? 0).toBeGreaterThan(history.transactions.length / 20);
      }
    });
  });
});

/** What a level does not promise does happen there, so the judge would see it where it is promised. */
describe("the same load one level lower", () => {
  /** Seed after seed until the anomaly has come up: how soon depends on the disk. */
  const findUntil = async (wanted: AnomalyKind, isolation: Level, workload: Workload): Promise<Set<AnomalyKind>> => {
    const found = new Set<AnomalyKind>();
    for (let seed = 1; seed <= 20 && !found.has(wanted); seed++) {
      const { history } = await run(workload, { isolation, seed });
      judgeHistory(history, workload.ordered).forEach(({ kind }) => found.add(kind));
    }
    return found;
  };

  test.each(workloads)("$name: snapshot shows write skew, read-committed read skew", async (workload) => {
    const snapshot = await findUntil("G2", "snapshot", workload);
    expect([...snapshot].filter((kind) => kind !== "realtime")).toEqual(["G2"]);
    const skew: AnomalyKind = workload.register === true ? "lost" : "G-single";
    expect([...(await findUntil(skew, "read-committed", workload))]).toContain(skew);
  });
});
