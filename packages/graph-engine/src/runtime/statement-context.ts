import { type Mode } from "@trefoil/cypher";
import { type IdRange, type ReadView, type TokenTables, type Transaction } from "@trefoil/graph-store";
import { type FunctionContext } from "../functions/function-context.ts";
import { type LoadCsvPolicy } from "../load-csv/csv-resource.ts";
import { type Profile } from "./profile.ts";
import { type Value } from "../values/value.ts";

/** Which part of a statement a thread runs, and what it has in common with the others. */
export interface StatementPart {
  readonly range: IdRange;
  /** Shared memory, four bytes per node: numbers that any of them may fill in (compiler/produce-count-expand.ts). */
  readonly counts: readonly SharedArrayBuffer[];
}

/** What generated code gets for one execution of a statement. */
export interface StatementContext {
  /** Another one after a commit on the way (runtime/periodic-commit.ts). */
  view: ReadView;
  readonly transaction: Transaction;
  readonly tokens: TokenTables;
  readonly mode: Mode;
  readonly parameters: ReadonlyMap<string, Value>;
  /** For functions; goes with {@link view}. */
  context: FunctionContext;
  /** Whether the run is past what 2.3 does before it gives out the columns. */
  hasBegun: boolean;
  readonly loadCsv: LoadCsvPolicy;
  /** Where the statement is the part that one thread runs of several. */
  readonly part?: StatementPart | undefined;
  /** Where it puts together what the parts gave: their rows in order, `undefined` at the end. */
  readonly gathered?: { next(): Promise<readonly (readonly unknown[])[] | undefined> } | undefined;
  /** Rows by operator, counted under PROFILE. */
  readonly profile: Profile;
}
