import { type ExactJson } from "../values/exact-json.ts";
import { cellText } from "../values/value-text.ts";
import { listOf, numberOf, objectOf, textOf } from "./read-answer.ts";

/** One operator of a plan, its sources below it. */
export interface Plan {
  readonly operator: string;
  readonly estimatedRows: number;
  /** Undefined unless the statement was profiled. */
  readonly rows: number | undefined;
  readonly hits: number | undefined;
  readonly timeMs: number | undefined;
  readonly identifiers: readonly string[];
  /** Whatever else the server tells, as name and text. */
  readonly details: readonly (readonly [name: string, text: string])[];
  readonly children: readonly Plan[];
}

export function readPlan(plan: ReadonlyMap<string, ExactJson>): Plan {
  const optional = (name: string): number | undefined => (plan.has(name) ? numberOf(plan.get(name)) : undefined);
  const timeNs = optional("Time");
  return {
    operator: textOf(plan.get("operatorType")),
    estimatedRows: numberOf(plan.get("EstimatedRows")),
    rows: optional("Rows"),
    hits: optional("DbHits"),
    timeMs: timeNs === undefined ? undefined : timeNs / 1_000_000,
    identifiers: listOf(plan.get("identifiers")).map(textOf),
    details: [...plan]
      .filter(([name]) => !KNOWN.has(name))
      .map(([name, value]) => [name, argumentText(value)] as const),
    children: listOf(plan.get("children")).map((child) => readPlan(objectOf(child))),
  };
}

function argumentText(value: ExactJson): string {
  return Array.isArray(value)
    ? value.map(argumentText).join(", ")
    : value instanceof Map
      ? ""
      : cellText(value as string);
}

const KNOWN: ReadonlySet<string> = new Set([
  "operatorType",
  "EstimatedRows",
  "Rows",
  "DbHits",
  "Time",
  "identifiers",
  "children",
]);
