import { parseStatement } from "@trefoil/cypher";
import { type Catalogs } from "../binder/bind-context.ts";
import { bindStatement } from "../binder/bind-statement.ts";
import { type FunctionContext } from "../functions/function-context.ts";
import { type Value } from "../values/value.ts";
import { interpretQuery } from "./interpret-query.ts";
import { valueOf } from "./row.ts";

export interface InterpretedResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/**
 * What a reading statement gives, without plan and generated code: the oracle of the differential tests.
 *
 * @param functions  its view is the graph that is read; its mode holds unless the statement's prefix says otherwise
 * @throws QueryError as the engine does; NotInterpretedError for what the interpreter leaves out
 */
export function interpretStatement(
  text: string,
  parameters: ReadonlyMap<string, Value>,
  functions: FunctionContext,
  catalogs: Catalogs,
): InterpretedResult {
  const statement = parseStatement(text, { mode: functions.mode });
  const { query } = bindStatement(statement, catalogs);
  const { mode } = statement;
  const rows = interpretQuery(query, new Map(), {
    mode,
    parameters,
    functions: { ...functions, mode },
    interpretQuery,
  });
  return {
    columns: query.columns.map((column) => column.name),
    rows: rows.map((row) => query.columns.map((column) => valueOf(row, column))),
  };
}
