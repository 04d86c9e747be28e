import { type Engine, type ProcedureField, type SignatureType } from "@trefoil/graph-engine";
import { OpenTransaction, type StatementRunner, type TransactionServices } from "./graph-transaction.ts";
import { fromEngine } from "./values/from-engine.ts";
import { type GraphParameter, type GraphValue } from "./values/graph-value.ts";
import { toEngine } from "./values/to-engine.ts";

/** An argument or a column; `type` is a type name of the language, such as `INTEGER` or `LIST<STRING>`. */
export interface Field {
  readonly name: string;
  readonly type: string;
  /** Whether null is allowed; it is when not said. */
  readonly nullable?: boolean | undefined;
  /** Of an argument that may be left out, with all behind it. */
  readonly default?: GraphParameter | undefined;
}

/** What `CALL my.procedure(…)` runs. */
export interface Procedure {
  readonly name: string;
  readonly description?: string | undefined;
  /** `read` when not said. */
  readonly mode?: "read" | "write" | undefined;
  readonly inputs?: readonly Field[] | undefined;
  readonly outputs?: readonly Field[] | undefined;
  /** Gets checked and coerced arguments; gives rows in the order of `outputs`. Statements of it run in its caller's transaction. */
  readonly call: (args: readonly GraphValue[], transaction: StatementRunner) => ProcedureRows | Promise<ProcedureRows>;
}

export type ProcedureRows = Iterable<readonly GraphParameter[]> | undefined;

/** What expressions can call as `my.function(…)`. */
export interface ScalarFunction {
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters: readonly { readonly name: string; readonly type: SignatureType }[];
  readonly returns: SignatureType;
  /** Whether equal arguments always give equal results; true when not said. */
  readonly deterministic?: boolean | undefined;
  /** Gets null like any other argument. */
  readonly call: (...args: readonly GraphValue[]) => GraphParameter;
}

/** Defines and removes while the graph is open; statements planned before take notice. */
export interface Definitions<D> {
  /** Replaces one of the same name. */
  define(definition: D): void;
  /** @returns  whether there was one */
  remove(name: string): boolean;
}

export function proceduresOf(services: TransactionServices): Definitions<Procedure> {
  const { procedures } = services.engine;
  return {
    define: ({ name, description, mode, inputs, outputs, call }) => {
      const columns = fieldsOf(outputs);
      procedures.define({
        name,
        description,
        mode: mode ?? "read",
        inputs: fieldsOf(inputs),
        outputs: columns,
        call: async (args, { view, tokens, transaction }) => {
          const graph = { view, tokens };
          const rows = await call(
            args.map((value) => fromEngine(value, graph)),
            new OpenTransaction(transaction, services),
          );
          return Array.from(rows ?? [], (row) => {
            if (row.length !== columns.length) {
              throw new TypeError(`a row of ${name} must have ${columns.length} values`);
            }
            return row.map(toEngine);
          });
        },
      });
    },
    remove: (name) => procedures.remove(name),
  };
}

export function functionsOf({ functions }: Engine): Definitions<ScalarFunction> {
  return {
    define: ({ name, description, parameters, returns, deterministic, call }) => {
      functions.define({
        name,
        description,
        parameters: parameters.map(({ name: parameter, type }) => ({
          name: parameter,
          types: [type],
          optional: false,
        })),
        returns,
        deterministic,
        call: (args, graph) => toEngine(call(...args.map((value) => fromEngine(value, graph)))),
      });
    },
    remove: (name) => functions.remove(name),
  };
}

function fieldsOf(fields: readonly Field[] = []): readonly ProcedureField[] {
  return fields.map((field) => ({
    name: field.name,
    type: field.type,
    nullable: field.nullable ?? true,
    ...("default" in field ? { default: toEngine(field.default) } : {}),
  }));
}
