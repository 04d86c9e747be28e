import { systemClock } from "@trefoil/base";
import { type GraphStore, openGraphStore, type Transaction, WholeFloat } from "@trefoil/graph-store";
import { createEngine, type Engine, type ExecuteOptions } from "../session.ts";
import { NodeValue, PathValue, RelationshipValue, type Value } from "../values/value.ts";
import { type StatementSummary } from "../runtime/statement-result.ts";

/** What a statement gave, in plain JavaScript: maps as objects, floats as numbers, entities as `(id)`, `[id]`, `<…>`. */
export interface Outcome {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly summary: StatementSummary;
}

/** A store in memory with an engine, for tests that talk to it in statements. */
export class TestGraph {
  readonly store: GraphStore;
  readonly engine: Engine;

  private constructor(store: GraphStore) {
    this.store = store;
    this.engine = createEngine({ store, clock: systemClock });
  }

  static async open(...setUp: readonly string[]): Promise<TestGraph> {
    const graph = new TestGraph(await openGraphStore({ clock: systemClock }));
    for (const statement of setUp) {
      await graph.run(statement);
    }
    return graph;
  }

  /** Runs a statement in a transaction of its own. */
  async run(
    text: string,
    parameters: Readonly<Record<string, Value>> = {},
    options?: ExecuteOptions,
  ): Promise<Outcome> {
    const transaction = this.store.begin();
    try {
      const outcome = await this.runIn(transaction, text, parameters, options);
      await transaction.commit();
      return outcome;
    } catch (error) {
      if (transaction.state === "open") {
        transaction.rollback();
      }
      throw error;
    }
  }

  async runIn(
    transaction: Transaction,
    text: string,
    parameters: Readonly<Record<string, Value>> = {},
    options?: ExecuteOptions,
  ): Promise<Outcome> {
    const result = await this.engine.execute(transaction, text, new Map(Object.entries(parameters)), options);
    const rows: unknown[][] = [];
    for await (const batch of result.rows) {
      rows.push(...batch.map((row) => row.map(plain)));
    }
    return { columns: result.columns, rows, summary: result.summary };
  }

  /** The one column of the one row. */
  async value(text: string, parameters: Readonly<Record<string, Value>> = {}): Promise<unknown> {
    const { rows } = await this.run(text, parameters);
    return rows[0]?.[0];
  }
}

/** A value in plain JavaScript. */
export function plain(value: Value): unknown {
  if (value instanceof NodeValue) {
    return `(${value.id})`;
  }
  if (value instanceof RelationshipValue) {
    return `[${value.id}]`;
  }
  if (value instanceof PathValue) {
    return `<${value.nodes.join("-")}>`;
  }
  if (value instanceof WholeFloat) {
    return value.value;
  }
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, inner]: [string, Value]) => [key, plain(inner)]));
  }
  return Array.isArray(value) ? value.map((inner: Value) => plain(inner)) : value;
}
