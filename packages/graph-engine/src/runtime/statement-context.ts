import { type Mode } from "@trefoil/cypher";
import { type ReadView, type TokenTables, type Transaction } from "@trefoil/graph-store";
import { type FunctionContext } from "../functions/function-context.ts";
import { type LoadCsvPolicy } from "../load-csv/csv-resource.ts";
import { type Profile } from "./profile.ts";
import { type Value } from "../values/value.ts";

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
  /** Rows by operator, counted under PROFILE. */
  readonly profile: Profile;
}
