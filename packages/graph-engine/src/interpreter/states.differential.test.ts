import { ManualClock, systemClock } from "@trefoil/base";
import { QueryError } from "@trefoil/cypher";
import { type GraphStore, type Isolation, openGraphStore, StoreError, type Transaction } from "@trefoil/graph-store";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEngine, type Engine } from "../session.ts";
import { equivalenceKey } from "../values/equivalence.ts";
import { type Value } from "../values/value.ts";
import { statements } from "./testing/statement-arbitraries.ts";
import { updates } from "./testing/update-arbitraries.ts";

/** Loops, parallel relationships, a node of its own, missing and mixed properties. */
const GRAPH = `CREATE (a:A {p: 1, q: 'x'}), (b:B {p: 2, q: 1.0}), (c:A:B {p: -1, q: [1, 2]}), (d {q: true}), (:A {p: 1})
  CREATE (a)-[:R {p: 1}]->(b), (a)-[:R {p: 2}]->(b), (b)-[:S {p: 1}]->(c), (c)-[:R]->(c), (c)-[:S {q: 'x'}]->(a), (b)-[:R]->(d), (d)-[:S]->(b), (a)-[:R]->(c)`;
/** Brings the graph into the same state with leftovers: entities that are gone, values that were others. */
const DETOUR = [
  "MATCH (n) SET n.was = n.p, n.p = 99 CREATE (:A {p: 1})-[:R]->(:B), (n)-[:R]->(n)",
  "MATCH (n)-[r:R]->(n) WHERE r.p IS NULL AND NOT (n:A AND n:B) DELETE r",
  "MATCH (n:A:B)-[r:R]->(n) WITH n, collect(r) AS loops FOREACH (r IN tail(loops) | DELETE r)",
  "MATCH (n) WHERE n.was IS NULL AND NOT exists(n.q) DETACH DELETE n",
  "MATCH (n) SET n.p = n.was REMOVE n.was",
];

/** One way to have the same graph: what generated code reads from differs, what it must give does not. */
interface State {
  readonly name: string;
  readonly isolation: Isolation;
  readonly prepare: (store: GraphStore, engine: Engine) => Promise<void>;
  /** Whether the graph is made in the transaction of the statement itself. */
  readonly own?: boolean;
}

const plain = async (store: GraphStore, engine: Engine): Promise<void> => {
  await commit(store, engine, GRAPH);
};

const STATES: readonly State[] = [
  { name: "in the base arrays", isolation: "read-committed", prepare: plain },
  {
    name: "in layers above the base",
    isolation: "read-committed",
    prepare: async (store, engine) => {
      store.begin().openView();
      await commit(store, engine, GRAPH);
    },
  },
  {
    name: "changed since a snapshot that somebody holds",
    isolation: "read-committed",
    prepare: async (store, engine) => {
      await commit(store, engine, GRAPH);
      store.begin({ isolation: "snapshot" }).openView();
      for (const text of DETOUR) {
        await commit(store, engine, text);
      }
    },
  },
  { name: "in the transaction's own writes", isolation: "read-committed", prepare: () => Promise.resolve(), own: true },
  {
    name: "with indexes",
    isolation: "snapshot",
    prepare: async (store, engine) => {
      await commit(store, engine, "CREATE INDEX ON :A(p)");
      await commit(store, engine, "CREATE INDEX FOR ()-[r:R]-() ON (r.p)");
      await commit(store, engine, GRAPH);
      await commit(store, engine, "CREATE INDEX ON :B(q)");
    },
  },
  { name: "where all that is read is noted", isolation: "serializable", prepare: plain },
];

interface Outcome {
  readonly rows: readonly string[] | string;
  readonly nodes: readonly string[] | string;
  readonly relationships: readonly string[] | string;
}

const LIMITS = { numRuns: Number(process.env["TREFOIL_DIFFERENTIAL_RUNS"] ?? 40), interruptAfterTimeLimit: 60_000 };

describe("a statement gives the same and leaves the same, wherever the graph lies", () => {
  test.each([
    ["reading", () => statements(false).map(withoutOrder)],
    ["writing", () => updates()],
  ])("%s statements", { timeout: 90_000 }, async (_, arbitrary) => {
    await fc.assert(
      fc.asyncProperty(arbitrary(), async (text) => {
        const [first, ...others] = STATES;
        const expected = await outcomeIn(first!, text);
        for (const state of others) {
          expect({ state: state.name, ...(await outcomeIn(state, text)) }).toEqual({ state: state.name, ...expected });
        }
      }),
      LIMITS,
    );
  });
});

/** The order of a pattern comprehension's elements is nobody's promise. */
function withoutOrder(text: string): string {
  return text.replaceAll(/\[\(\w+\)-->\(z:A\) \| z\.p\]/gu, "size($&)");
}

async function outcomeIn(state: State, text: string): Promise<Outcome> {
  const store = await openGraphStore({ clock: systemClock });
  try {
    const engine = createEngine({ store, clock: new ManualClock(0), random: () => 0.5 });
    await state.prepare(store, engine);
    // Nothing but generated code answers statements.
    expect(engine.inspect(text).source).toContain("yield");
    const transaction = store.begin({ isolation: state.isolation });
    if (state.own === true) {
      await run(engine, transaction, GRAPH);
    }
    const rows = await run(engine, transaction, text);
    await (typeof rows === "string" ? Promise.resolve(transaction.rollback()) : transaction.commit());
    if (typeof rows === "string") {
      return { rows, nodes: "rolled back", relationships: "rolled back" };
    }
    const after = store.begin();
    const nodes = await run(engine, after, "MATCH (n) RETURN labels(n), properties(n)");
    const ends = "MATCH (a)-[r]->(b) RETURN properties(a), type(r), properties(r), properties(b)";
    const relationships = await run(engine, after, ends);
    after.rollback();
    expect(await store.check()).toEqual([]);
    return { rows, nodes, relationships };
  } finally {
    await store.close();
  }
}

async function commit(store: GraphStore, engine: Engine, text: string): Promise<void> {
  const transaction = store.begin();
  expect(await run(engine, transaction, text)).toEqual([]);
  await transaction.commit();
}

/** Rows in canonical order, or the code of the error. */
async function run(engine: Engine, transaction: Transaction, text: string): Promise<readonly string[] | string> {
  try {
    const result = await engine.execute(transaction, text, new Map());
    const rows: (readonly Value[])[] = [];
    for await (const batch of result.rows) {
      rows.push(...batch);
    }
    return rows.map((row) => row.map((value) => String(equivalenceKey(value, "2.3"))).join()).sort();
  } catch (error) {
    if (error instanceof QueryError || error instanceof StoreError) {
      return error.code;
    }
    throw error;
  }
}
