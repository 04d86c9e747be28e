import { type PlanDescription } from "@trefoil/graph-engine";
import { floatOf } from "@trefoil/graph-store";
import { type JsonValue } from "../json/json-reader.ts";

/**
 * The operators of a plan as the transactional endpoint writes them: arguments are flat members beside the names.
 * `Rows` and `DbHits` are there when the statement was profiled, and the `Time` of each operator in modern Cypher.
 *
 * @source graph-http §4.3 (plan)
 */
export function planDescription(plan: PlanDescription, isProfiled: boolean): ReadonlyMap<string, JsonValue> {
  const description = new Map<string, JsonValue>([
    ["operatorType", plan.operator],
    ["EstimatedRows", floatOf(plan.estimatedRows)],
  ]);
  if (plan.details !== "") {
    description.set("Details", plan.details);
  }
  if (isProfiled) {
    description.set("Rows", plan.rows ?? 0);
    description.set("DbHits", plan.rows ?? 0);
    if (plan.timeMs !== undefined) {
      description.set("Time", Math.round(plan.timeMs * NANOSECONDS));
    }
  }
  return description.set("identifiers", [...plan.variables]).set(
    "children",
    plan.children.map((child) => planDescription(child, isProfiled)),
  );
}

/** In a millisecond: times of operators are written in nanoseconds. */
const NANOSECONDS = 1_000_000;

/** The same plan as the legacy endpoint writes it (graph-http §5). */
export function legacyPlanDescription(plan: PlanDescription, isProfiled: boolean): ReadonlyMap<string, JsonValue> {
  const description = new Map<string, JsonValue>([
    ["name", plan.operator],
    [
      "args",
      new Map<string, JsonValue>([
        ["EstimatedRows", floatOf(plan.estimatedRows)],
        ["Details", plan.details],
        ["identifiers", [...plan.variables]],
      ]),
    ],
  ]);
  if (isProfiled) {
    description.set("rows", plan.rows ?? 0).set("dbHits", plan.rows ?? 0);
  }
  return description.set(
    "children",
    plan.children.map((child) => legacyPlanDescription(child, isProfiled)),
  );
}
