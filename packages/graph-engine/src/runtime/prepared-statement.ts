import { type Mode, type Statement } from "@trefoil/cypher";
import { type CompiledRun } from "./compiled-run.ts";
import { type ProfiledRows } from "../logical-plan/describe-plan.ts";
import { type PlanDescription } from "../logical-plan/plan-description.ts";
import { type PartitionedScan } from "../logical-plan/operator.ts";
import { type QueryType } from "../logical-plan/query-type.ts";
import { type Notification } from "../notifications/notification.ts";
import { type KnownNames } from "../notifications/known-names.ts";

/** A statement in two: what is run for each range of a scan's ids, and what puts the rows of all of them together. */
export interface SplitStatement {
  readonly runPart: CompiledRun;
  /** The generated JavaScript of a part: threads whose plan is another one make other rows. */
  readonly source: string;
  /** How many arrays of a number per node the parts share. */
  readonly sharedCounts: number;
  readonly merge: CompiledRun;
  readonly scan: PartitionedScan;
  /** Whether it takes much to make the rows, and little to hand them over. */
  readonly pays: boolean;
}

/** Everything about a statement that can be kept for its next run. */
export interface PreparedStatement {
  readonly statement: Statement;
  readonly columns: readonly string[];
  readonly queryType: QueryType;
  readonly mode: Mode;
  readonly execution: "normal" | "explain" | "profile";
  readonly parameters: ReadonlySet<string>;
  /** Those of them that EXPLAIN asks for, too (TCK Call1 [11]). */
  readonly implicitArguments: ReadonlySet<string>;
  /** Legacy indexes that must be there when it runs. */
  readonly legacyIndexes: readonly { readonly entity: "node" | "relationship"; readonly index: string }[];
  /** What EXPLAIN says besides the plan. */
  readonly notifications: (names: KnownNames) => readonly Notification[];
  readonly run: CompiledRun;
  readonly operatorCount: number;
  /** 2.3 runs updates, sorting and grouping before it answers at all: their failures leave no result behind. */
  readonly startsAtOnce: boolean;
  /** Whether the statement fails without columns until its run says that it `hasBegun`. */
  readonly beginsLate: boolean;
  /** Reads and nothing else, the same way each time: it may begin again in another thread. */
  readonly isMovable: boolean;
  /** Whether it asks for relationships that are there. */
  readonly readsRelationships: boolean;
  /** How several threads run it at once, where that can be done; compiled when it is first asked for. */
  readonly split: () => SplitStatement | undefined;
  /** USING PERIODIC COMMIT. */
  readonly commitsPeriodically: boolean;
  /** Whether the counts it was planned by have moved far. */
  readonly isStale: () => boolean;
  readonly describe: (profile: ProfiledRows | undefined) => PlanDescription;
  /** The generated JavaScript, for reading. */
  readonly source: string;
}
