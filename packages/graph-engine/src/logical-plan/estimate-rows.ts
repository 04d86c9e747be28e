import { type PlanStatistics } from "./plan-statistics.ts";
import { type NodeIndexSeek, type Operator } from "./operator.ts";

/** Share of rows a predicate is expected to let through. */
const FILTER_SELECTIVITY = 0.25;
/** Groups per row, and elements per list, for want of better knowledge. */
const GROUPING_EXPONENT = 0.5;
const LIST_LENGTH = 10;

/** How many rows an operator is expected to give, from live counts. */
export function estimateRows(operator: Operator, statistics: PlanStatistics): number {
  const source = (): number => ("source" in operator ? estimateRows(operator.source, statistics) : 1);
  const degree = (types: readonly string[]): number =>
    statistics.relationships(types) / Math.max(1, statistics.nodeCount());
  switch (operator.kind) {
    case "Argument":
      return 1;
    case "AllNodesScan":
      return source() * statistics.nodeCount();
    case "NodeByLabelScan":
      return source() * statistics.nodesWithLabel(operator.label);
    case "NodeIndexSeek":
      return source() * seekRows(operator, statistics);
    case "AllRelationshipsScan":
      return source() * statistics.relationships([]);
    case "Expand":
    case "VariableLengthExpand": {
      const each = degree(operator.types) * (operator.direction === "both" ? 2 : 1);
      return source() * (operator.into ? Math.min(each, 1) : each);
    }
    case "CountExpand":
      return source() * Math.min(1, degree(operator.types));
    case "Filter":
      return source() * FILTER_SELECTIVITY ** operator.predicates.length;
    case "Aggregation":
      return operator.keys.length === 0 ? 1 : source() ** GROUPING_EXPONENT;
    case "Distinct":
      return source() * 0.95;
    case "Unwind":
      return source() * LIST_LENGTH;
    case "Limit":
      return operator.count.kind === "Literal" ? Math.min(source(), Number(operator.count.value)) : source();
    case "Union":
      return operator.parts.reduce((sum, part) => sum + estimateRows(part.plan, statistics), 0);
    case "Optional":
    case "Apply":
    case "Merge":
      return source() * Math.max(1, estimateRows(operator.inner, statistics));
    case "EmptyResult":
      return 0;
    default:
      return source();
  }
}

/** Expected share of an index for ranges and prefixes. */
const RANGE_SELECTIVITY = 0.3;

function seekRows({ label, properties, unique, lookup }: NodeIndexSeek, statistics: PlanStatistics): number {
  const index = statistics.indexesOf(label).find((each) => each.properties.join("\0") === properties.join("\0"));
  const { size = 0, distinct = 0 } = index ?? {};
  const perValue = unique ? Math.min(1, size) : size / Math.max(1, distinct);
  switch (lookup.kind) {
    case "values":
      return perValue;
    case "any":
      return perValue * (lookup.list.kind === "List" ? lookup.list.items.length : LIST_LENGTH);
    case "range":
    case "prefix":
      return size * RANGE_SELECTIVITY;
    case "exists":
      return size;
  }
}
