import { type CompiledRun } from "../runtime/compiled-run.ts";
import { type StatementContext } from "../runtime/statement-context.ts";

/** What a schema command does, and how plans name it. */
export interface SchemaOperation {
  readonly operator: string;
  readonly details: string;
  /** Fails with a QueryError or an error of the store. */
  readonly perform: (statement: StatementContext) => Promise<void>;
}

/** Runs an operation as a statement without rows: the driver waits for its promise. */
export function runOf({ perform }: SchemaOperation): CompiledRun {
  return function* run(statement) {
    yield perform(statement);
  };
}
