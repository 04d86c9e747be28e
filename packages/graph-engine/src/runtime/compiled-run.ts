import { type Signal } from "./signals.ts";
import { type StatementContext } from "./statement-context.ts";
import { type Batch } from "./statement-result.ts";

/**
 * Runs a statement: yields batches of rows, {@link Signal}s, and promises whose outcome the driver hands back
 * (decisions/0001).
 */
export type CompiledRun = (statement: StatementContext) => Generator<Batch | Signal | Promise<unknown>, void, unknown>;
