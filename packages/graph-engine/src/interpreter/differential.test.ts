import { ManualClock, systemClock } from "@trefoil/base";
import { QueryError } from "@trefoil/cypher";
import { type GraphStore, openGraphStore } from "@trefoil/graph-store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FunctionContext } from "../functions/function-context.ts";
import { PatternCache } from "../functions/patterns/pattern-cache.ts";
import { createEngine, type Engine } from "../session.ts";
import { equivalenceKey, equivalenceKeyOfRow } from "../values/equivalence.ts";
import { type Value } from "../values/value.ts";
import { interpretStatement } from "./interpret-statement.ts";
import { statements } from "./testing/statement-arbitraries.ts";

/** Loops, parallel relationships, a node of its own, missing and mixed properties. */
const GRAPH = `CREATE (a:A {p: 1, q: 'x'}), (b:B {p: 2, q: 1.0}), (c:A:B {p: -1, q: [1, 2]}), (d {q: true}), (:A {p: 1})
  CREATE (a)-[:R {p: 1}]->(b), (a)-[:R {p: 2}]->(b), (b)-[:S {p: 1}]->(c), (c)-[:R]->(c), (c)-[:S {q: 'x'}]->(a), (b)-[:R]->(d), (d)-[:S]->(b), (a)-[:R]->(c)`;

describe("generated code", () => {
  let store: GraphStore;
  let engine: Engine;
  /** Its plans are as the planner makes them. */
  let withoutRules: Engine;

  beforeAll(async () => {
    store = await openGraphStore({ clock: systemClock });
    const options = { store, clock: new ManualClock(0), random: () => 0.5 };
    engine = createEngine(options);
    withoutRules = createEngine({ ...options, rules: [] });
    await run(GRAPH, true);
  });

  afterAll(async () => {
    await store.close();
  });

  const limits = { numRuns: Number(process.env["TREFOIL_DIFFERENTIAL_RUNS"] ?? 500), interruptAfterTimeLimit: 60_000 };

  it("gives what the interpreter gives, with the rules of the optimizer and without", { timeout: 90_000 }, async () => {
    let rewritten = 0;
    let intersected = 0;
    await fc.assert(
      fc.asyncProperty(statements(false), async (text) => {
        const interpreted = interpret(text);
        expect(await run(text, false)).toEqual(interpreted);
        expect(await run(text, false, withoutRules)).toEqual(interpreted);
        intersected += sourceIn(engine, text).includes("newIntersection") ? 1 : 0;
        rewritten += sourceIn(engine, text) === sourceIn(withoutRules, text) ? 0 : 1;
      }),
      limits,
    );
    expect(rewritten).toBeGreaterThan(0);
    expect(intersected).toBeGreaterThan(0);
  });

  it("gives what the interpreter gives where arithmetic does not fail", { timeout: 90_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(statements(true), async (text) => {
        const interpreted = interpret(text);
        const compiled = await run(text, false);
        expect(await run(text, false, withoutRules)).toEqual(compiled);
        // Plans judge predicates early, even for rows that come to nothing: then only one of the two fails.
        fc.pre(typeof interpreted !== "string" && typeof compiled !== "string");
        expect(compiled).toEqual(interpreted);
      }),
      limits,
    );
  });

  /** Rows in canonical order, or the code of the error. */
  function interpret(text: string): readonly string[] | string {
    const transaction = store.begin();
    const view = transaction.openView();
    const context: FunctionContext = {
      view,
      tokens: store.tokens,
      mode: "modern",
      statementTimeMs: 0,
      transactionTimeMs: 0,
      clock: new ManualClock(0),
      random: () => 0.5,
      patterns: new PatternCache(),
    };
    try {
      return canonical(interpretStatement(text, new Map(), context, engine).rows);
    } catch (error) {
      return codeOf(error);
    } finally {
      transaction.releaseView(view);
      transaction.rollback();
    }
  }

  async function run(text: string, commits: boolean, by: Engine = engine): Promise<readonly string[] | string> {
    const transaction = store.begin();
    try {
      const result = await by.execute(transaction, text, new Map());
      const rows: (readonly Value[])[] = [];
      for await (const batch of result.rows) {
        rows.push(...batch);
      }
      await (commits ? transaction.commit() : Promise.resolve(transaction.rollback()));
      return canonical(rows);
    } catch (error) {
      transaction.rollback();
      return codeOf(error);
    }
  }
});

/** The generated code, or the code of the error. */
function sourceIn(engine: Engine, text: string): string {
  try {
    return engine.inspect(text).source;
  } catch (error) {
    return codeOf(error);
  }
}

function canonical(rows: readonly (readonly Value[])[]): readonly string[] {
  // Lists of one column tell 1 from 1.0, which equivalence of values alone does not.
  return rows
    .map(
      (row) =>
        `${String(equivalenceKeyOfRow([...row, null], "2.3"))} ${row.map((value) => String(equivalenceKey(value, "2.3"))).join()}`,
    )
    .sort();
}

function codeOf(error: unknown): string {
  if (error instanceof QueryError) {
    return error.code;
  }
  throw error;
}
