import { type ReadView, type UpdateCounts } from "@trefoil/graph-store";
import { type Notification } from "../notifications/notification.ts";
import { type PlanDescription } from "../logical-plan/plan-description.ts";
import { type QueryType } from "../logical-plan/query-type.ts";
import { type Value } from "../values/value.ts";

/** At most {@link maximumBatchRows} rows, each with its values in column order. */
export type Batch = readonly (readonly Value[])[];

export const maximumBatchRows = 1024;

/** What is known once the last row is out. */
export interface StatementSummary {
  readonly counts: Readonly<UpdateCounts>;
  readonly queryType: QueryType;
  readonly plan: PlanDescription | undefined;
  /** Whether the plan was asked for by PROFILE, so that its rows are counted. */
  readonly profiled: boolean;
  readonly notifications: readonly Notification[];
}

/**
 * A running statement. Rows come in batches as the consumer asks for them, by `next` or by a loop over `rows`; nodes and relationships in them are ids to
 * be looked up in {@link view}, which stays valid until the rows are through or {@link close} is called.
 */
export interface StatementResult {
  readonly columns: readonly string[];
  /** Known before the first row: whether rows are final as they come, or a failure takes all of them back. */
  readonly queryType: QueryType;
  readonly rows: AsyncIterable<Batch>;
  /** The next batch, at once where nothing has to be waited for; `undefined` after the last one. */
  next(): Batch | undefined | Promise<Batch | undefined>;
  readonly view: ReadView;
  /** Under USING PERIODIC COMMIT: earlier rows are committed already, whatever becomes of the transaction. */
  readonly commitsPeriodically: boolean;
  /** @throws  AssertionError before the last row was read */
  readonly summary: StatementSummary;
  /** Gives up an unfinished statement: what it had written is undone. Harmless afterwards. */
  close(): void;
}
