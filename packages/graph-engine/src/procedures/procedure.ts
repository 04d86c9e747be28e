import { type ReadView, type TokenTables, type Transaction } from "@trefoil/graph-store";
import { type Mode } from "@trefoil/cypher";
import { type Value } from "../values/value.ts";

/** An argument or an output column; `type` is a type name of the language, such as `INTEGER` or `LIST<STRING>`. */
export interface ProcedureField {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** Of an argument that may be left out, together with all behind it. */
  readonly default?: Value | undefined;
}

/** Where a call happens. */
export interface ProcedureContext {
  readonly view: ReadView;
  readonly transaction: Transaction;
  readonly tokens: TokenTables;
  readonly mode: Mode;
}

export type ProcedureRows = Iterable<readonly Value[]>;

/** What `CALL` can call. */
export interface ProcedureDefinition {
  /** With its namespace: `db.labels`. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly mode: "read" | "write";
  readonly inputs: readonly ProcedureField[];
  /** None: it is called for its effects alone. */
  readonly outputs: readonly ProcedureField[];
  /** Arguments are checked and coerced to the inputs' types; rows are values in the order of `outputs`. */
  readonly call: (args: readonly Value[], context: ProcedureContext) => ProcedureRows | Promise<ProcedureRows>;
}

/** `db.labels() :: (label :: STRING)`. */
export function procedureSignature({ name, inputs, outputs }: ProcedureDefinition): string {
  const fields = (each: readonly ProcedureField[]): string =>
    each.map((field) => `${field.name} :: ${field.type}${field.nullable ? "?" : ""}`).join(", ");
  return `${name}(${fields(inputs)}) :: ${outputs.length === 0 ? "VOID" : `(${fields(outputs)})`}`;
}
