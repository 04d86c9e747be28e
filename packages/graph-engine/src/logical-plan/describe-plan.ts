import { type BoundExpression } from "../binder/bound-expression.ts";
import { type Variable } from "../binder/variable.ts";
import { type PlanStatistics } from "./plan-statistics.ts";
import { type PlanDescription } from "./plan-description.ts";
import { RowEstimates } from "./estimate-rows.ts";
import { type IntersectedLeg, type NodeIndexSeek, type Operator } from "./operator.ts";
import { numberOperators } from "./operator-numbers.ts";
import { inputsOf, variablesSetBy } from "./operator-tree.ts";
import { expressionText } from "./expression-text.ts";

/** What was counted by the operators' numbers. */
export interface ProfiledRows {
  readonly rows: readonly number[];
  readonly timesMs?: readonly number[];
}

/** The plan as EXPLAIN shows it, under the operator names users know (cypher.md §6). */
export function describePlan(
  plan: Operator,
  statistics: PlanStatistics,
  profile: ProfiledRows | undefined,
): PlanDescription {
  const numbers = numberOperators(plan);
  const estimates = new RowEstimates(statistics);
  const counted = (counts: readonly number[] | undefined, operator: Operator): number | undefined =>
    counts === undefined ? undefined : (counts[numbers.get(operator) ?? -1] ?? 0);
  const describe = (operator: Operator): PlanDescription => {
    return {
      operator: operatorName(operator),
      details: detailsOf(operator),
      variables: variablesSetBy(operator).map((variable) => variable.name),
      estimatedRows: estimates.of(operator),
      rows: counted(profile?.rows, operator),
      timeMs: counted(profile?.timesMs, operator),
      children: inputsOf(operator).map(describe),
    };
  };
  return describe(plan);
}

function operatorName(operator: Operator): string {
  switch (operator.kind) {
    case "EntityByIdSeek":
      return operator.entity === "node" ? "NodeByIdSeek" : "DirectedRelationshipByIdSeek";
    case "NodeIndexSeek":
      return seekName(operator);
    case "Expand":
      return operator.into ? "Expand(Into)" : "Expand(All)";
    case "CountExpand":
      return "Expand(Count)";
    case "ExpandIntersect":
      return "Expand(Intersect)";
    case "VariableLengthExpand":
      if (operator.distinctEnds === true) {
        return "VarLengthExpand(Pruning)";
      }
      return operator.into ? "VarLengthExpand(Into)" : "VarLengthExpand(All)";
    case "AllNodesScan":
    case "NodeByLabelScan":
    case "AllRelationshipsScan":
      return operator.partitioned === true ? `Partitioned${operator.kind}` : operator.kind;
    case "Gather":
      return "ParallelGather";
    case "Join":
      return operator.keys.length === 0 ? "CartesianProduct" : "ValueHashJoin";
    case "Aggregation":
      return operator.stage === undefined ? "EagerAggregation" : `EagerAggregation(${STAGES[operator.stage]})`;
    case "Unwind":
      return "UNWIND";
    case "LoadCsv":
      return "LoadCSV";
    case "Create":
    case "SetProperties":
    case "Delete":
      return "UpdateGraph";
    default:
      return operator.kind;
  }
}

const STAGES = { partial: "Partial", final: "Final" } as const;

function seekName({ unique, lookup }: NodeIndexSeek): string {
  const prefix = unique ? "NodeUniqueIndexSeek" : "NodeIndexSeek";
  switch (lookup.kind) {
    case "values":
    case "any":
      return prefix;
    case "range":
    case "prefix":
      return `${prefix}ByRange`;
    case "exists":
      return "NodeIndexScan";
  }
}

function detailsOf(operator: Operator): string {
  const list = (expressions: readonly BoundExpression[]): string => expressions.map(expressionText).join(", ");
  switch (operator.kind) {
    case "NodeByLabelScan":
      return `:${operator.label}`;
    case "NodeIndexSeek":
      return `:${operator.label}(${operator.properties.join(", ")})`;
    case "Expand":
    case "CountExpand":
    case "VariableLengthExpand":
      return arrow(operator, operator.to);
    case "ExpandIntersect":
      return operator.legs.map((leg) => arrow(leg, operator.to)).join(", ");
    case "Filter":
      return operator.predicates.map(expressionText).join(" AND ");
    case "Projection":
      return operator.items.map((item) => `${expressionText(item.expression)} AS ${named(item.variable)}`).join(", ");
    case "Join":
      return operator.keys
        .map(({ outer, inner }) => `${expressionText(outer)} = ${expressionText(inner)}`)
        .join(" AND ");
    case "Aggregation":
      return list([...operator.keys, ...operator.aggregates].map((item) => item.expression));
    case "Sort":
    case "Top":
      return operator.keys.map((key) => `${expressionText(key.expression)}${key.descending ? " DESC" : ""}`).join(", ");
    case "Skip":
    case "Limit":
      return expressionText(operator.count);
    case "Unwind":
      return expressionText(operator.list);
    case "LoadCsv":
      return expressionText(operator.url);
    case "Eager":
      return operator.reason;
    default:
      return "";
  }
}

function named(variable: Variable): string {
  return variable.name.trim();
}

function arrow({ from, types, direction }: Omit<IntersectedLeg, "relationship">, to: Variable): string {
  const wanted = types.length === 0 ? "" : `:${types.join("|")}`;
  return `(${named(from)})${direction === "in" ? "<-" : "-"}[${wanted}]${direction === "out" ? "->" : "-"}(${named(to)})`;
}
