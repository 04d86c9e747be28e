import { type Mode, type Statement } from "@trefoil/cypher";
import { type CompiledRun } from "./compiled-run.ts";
import { type Notification, type PlanDescription, type QueryType } from "./statement-result.ts";

/** Everything about a statement that can be kept for its next run. */
export interface PreparedStatement {
  readonly statement: Statement;
  readonly columns: readonly string[];
  readonly queryType: QueryType;
  readonly mode: Mode;
  readonly execution: "normal" | "explain" | "profile";
  readonly parameters: ReadonlySet<string>;
  readonly notifications: readonly Notification[];
  readonly run: CompiledRun;
  readonly operatorCount: number;
  readonly describe: (rows: readonly number[] | undefined) => PlanDescription;
  /** The generated JavaScript, for reading. */
  readonly source: string;
}
