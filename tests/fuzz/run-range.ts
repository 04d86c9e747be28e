import { RequestError, RetryableError, systemClock } from "@trefoil/base";
import { createEngine, type Engine, type Value } from "@trefoil/graph-engine";
import { type GraphStore, openGraphStore } from "@trefoil/graph-store";
import { statementOf } from "./mutate.ts";
import { GRAPH, PARAMETERS } from "./seeds.ts";

/** A statement that did what no statement may do. */
export interface Finding {
  readonly seed: number;
  readonly mode: string;
  readonly text: string;
  readonly what: string;
}

const TIMEOUT_MS = 300;
/** Over its time by more than this, a statement hangs: it did not look at the clock. */
const PATIENCE_MS = 2_000;
/** The graph is made anew after so many statements, and looked at whole. */
const ROUND = 5_000;
/** @param began  told of every statement before it runs, so that somebody else can notice one that never ends */
export async function runRange(
  from: number,
  count: number,
  began: (seed: number) => void,
  found: (finding: Finding) => void,
): Promise<void> {
  for (let round = from; round < from + count; round += ROUND) {
    const store = await openGraphStore({ clock: systemClock, transactionMemoryBytes: 64 * 2 ** 20 });
    const engine = createEngine({ store, clock: systemClock });
    for (const text of GRAPH) {
      await runOne(store, engine, text, "modern", true);
    }
    for (let seed = round; seed < Math.min(round + ROUND, from + count); seed++) {
      began(seed);
      const { text, mode } = statementOf(seed);
      const beganMs = performance.now();
      const failure = await runOne(store, engine, text, mode, seed % 8 === 0);
      const elapsedMs = performance.now() - beganMs;
      if (failure !== undefined) {
        found({ seed, mode, text, what: failure });
      }
      if (elapsedMs > TIMEOUT_MS + PATIENCE_MS) {
        found({ seed, mode, text, what: `took ${Math.round(elapsedMs)} ms, with ${TIMEOUT_MS} allowed` });
      }
    }
    for (const problem of await store.check()) {
      found({ seed: round, mode: "", text: `the ${ROUND} statements from here on`, what: problem });
    }
    await store.close();
  }
}

/** @returns  what was wrong, if it was no error that a statement may end with */
async function runOne(
  store: GraphStore,
  engine: Engine,
  text: string,
  mode: "modern" | "2.3",
  commits: boolean,
): Promise<string | undefined> {
  const transaction = store.begin();
  try {
    const parameters = PARAMETERS as ReadonlyMap<string, Value>;
    const result = await engine.execute(transaction, text, parameters, { mode, timeoutMs: TIMEOUT_MS });
    for await (const batch of result.rows) {
      if (batch.some((row) => row.length !== result.columns.length)) {
        return "a row has not as many values as there are columns";
      }
    }
    if (commits) {
      await transaction.commit();
    }
    return undefined;
  } catch (error) {
    const isTyped = error instanceof RequestError || error instanceof RetryableError;
    return isTyped && error.code !== "DatabaseError.General.UnknownFailure"
      ? undefined
      : String((error as Error).stack).slice(0, 700);
  } finally {
    transaction.rollback();
  }
}
