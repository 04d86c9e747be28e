import { coerceArgument } from "./coerce-argument.ts";
import { type ProcedureDefinition, type ProcedureRows } from "../procedures/procedure.ts";
import { QueryError } from "@trefoil/cypher";
import { type Value } from "../values/value.ts";
import { type StatementContext } from "./statement-context.ts";

/**
 * Calls a procedure with its arguments checked and coerced. A promise goes to the driver, which gives back what it
 * comes to.
 *
 * @throws  Procedure.ProcedureCallFailed when the procedure itself fails with anything but a query error
 */
export function* callProcedure(
  procedure: ProcedureDefinition,
  args: readonly Value[],
  { view, transaction, tokens, mode }: StatementContext,
): Generator<Promise<ProcedureRows>, readonly (readonly Value[])[], ProcedureRows> {
  const checked = procedure.inputs.map((field, index) => coerceArgument(args[index] ?? null, field));
  try {
    const rows = procedure.call(checked, { view, transaction, tokens, mode });
    return [...(rows instanceof Promise ? yield rows : rows)];
  } catch (error) {
    if (error instanceof QueryError) {
      throw error;
    }
    throw new QueryError(
      "ClientError.Procedure.ProcedureCallFailed",
      `Failed to invoke procedure \`${procedure.name}\`: ${error instanceof Error ? error.message : String(error)}`,
      { phase: "runtime", cause: error },
    );
  }
}
