import { type Mode } from "@trefoil/cypher";
import { type PlanStatistics } from "../logical-plan/plan-statistics.ts";

export interface PlanContext {
  readonly mode: Mode;
  readonly statistics: PlanStatistics;
}
