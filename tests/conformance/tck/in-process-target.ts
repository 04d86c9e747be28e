import { systemClock } from "@trefoil/base";
import { QueryError } from "@trefoil/cypher";
import { createEngine, type Engine, type Value } from "@trefoil/graph-engine";
import { type GraphStore, type IdCursor, openGraphStore, type ReadView, WholeFloat } from "@trefoil/graph-store";
import { fromEngine, toEngine } from "./engine-values.ts";
import { type TckProcedure } from "./expectation.ts";
import { type ObservedGraph, type TckOutcome, type TckTarget } from "./target.ts";
import { canonicalText, type TckValue } from "./tck-value.ts";

/** The engine in this process over a store in memory, a fresh one for every scenario. */
export class InProcessTarget implements TckTarget {
  #store: GraphStore | undefined;
  #engine: Engine | undefined;

  async reset(): Promise<void> {
    await this.close();
    this.#store = await openGraphStore({ clock: systemClock });
    this.#engine = createEngine({ store: this.#store, clock: systemClock });
  }

  async defineProcedure(procedure: TckProcedure): Promise<void> {
    const { name, inputs, outputs } = procedure;
    const rows = procedure.rows.map((row) => row.map(toEngine));
    this.#engine!.procedures.define({
      name,
      mode: "read",
      inputs,
      outputs,
      call: (args) =>
        rows
          .filter((row) => args.every((arg, index) => isSame(arg, row[index]!)))
          .map((row) => row.slice(inputs.length)),
    });
    await Promise.resolve();
  }

  async run(query: string, parameters: ReadonlyMap<string, TckValue>): Promise<TckOutcome> {
    const transaction = this.#store!.begin();
    try {
      const values = new Map([...parameters].map(([name, value]) => [name, toEngine(value)]));
      const result = await this.#engine!.execute(transaction, query, values);
      const graph = { view: result.view, tokens: this.#store!.tokens };
      const rows: TckValue[][] = [];
      for await (const batch of result.rows) {
        rows.push(...batch.map((row) => row.map((value) => fromEngine(value, graph))));
      }
      const columns = result.columns;
      await transaction.commit();
      return { kind: "rows", columns, rows };
    } catch (error) {
      if (transaction.state === "open") {
        transaction.rollback();
      }
      return asOutcome(error);
    }
  }

  async observe(): Promise<ObservedGraph> {
    const transaction = this.#store!.begin();
    const view = transaction.openView();
    const observed = observe(view, this.#store!);
    transaction.releaseView(view);
    transaction.rollback();
    return await Promise.resolve(observed);
  }

  async close(): Promise<void> {
    await this.#store?.close();
    this.#store = undefined;
  }
}

function asOutcome(error: unknown): TckOutcome {
  if (error instanceof QueryError) {
    return {
      kind: "error",
      code: error.code,
      phase: error.phase,
      detail: error.tckDetail,
      message: error.message,
    };
  }
  if (error instanceof Error && "code" in error && typeof error.code === "string" && error.code.includes(".")) {
    const detail = "tckDetail" in error && typeof error.tckDetail === "string" ? error.tckDetail : undefined;
    return { kind: "error", code: error.code, phase: "runtime", detail, message: error.message };
  }
  throw error;
}

function observe(view: ReadView, { tokens }: GraphStore): ObservedGraph {
  const nodes = new Set<string>();
  const relationships = new Set<string>();
  const labels = new Set<string>();
  const properties = new Set<string>();
  const nodeLabels = new Set<string>();
  const graph = { view, tokens };
  for (const id of idsOf(view.allNodes())) {
    nodes.add(`node ${id}`);
    for (const label of view.labelsOf(id)) {
      labels.add(tokens.labels.nameOf(label));
      nodeLabels.add(`node ${id} ${tokens.labels.nameOf(label)}`);
    }
    for (const key of view.nodePropertyKeys(id)) {
      const value = canonicalText(fromEngine(view.nodeProperty(id, key) ?? null, graph), false);
      properties.add(`node ${id} ${tokens.propertyKeys.nameOf(key)} ${value}`);
    }
  }
  for (const id of idsOf(view.allRelationships())) {
    relationships.add(`relationship ${id}`);
    for (const key of view.relationshipPropertyKeys(id)) {
      const value = canonicalText(fromEngine(view.relationshipProperty(id, key) ?? null, graph), false);
      properties.add(`relationship ${id} ${tokens.propertyKeys.nameOf(key)} ${value}`);
    }
  }
  return { nodes, relationships, labels, properties, nodeLabels };
}

function* idsOf(cursor: IdCursor): Generator<number> {
  for (let id = cursor.next(); id !== -1; id = cursor.next()) {
    yield id;
  }
}

/** Whether an argument is the one a table names: null is null there. */
function isSame(left: Value, right: Value): boolean {
  return equivalenceText(left) === equivalenceText(right);
}

/** Whole FLOATs and INTEGERs are one number: arguments were coerced already. */
function equivalenceText(value: Value): string {
  return value instanceof WholeFloat ? String(value.value) : JSON.stringify(value);
}
