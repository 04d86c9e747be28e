import { type Mode } from "@trefoil/cypher";
import { type Cardinality } from "../logical-plan/cardinality.ts";
import { type PlanStatistics } from "../logical-plan/plan-statistics.ts";

export interface PlanContext {
  readonly mode: Mode;
  readonly statistics: PlanStatistics;
  /** What to expect by these statistics. */
  readonly cardinality: Cardinality;
}
