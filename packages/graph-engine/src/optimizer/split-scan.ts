import { type BoundAggregate } from "../binder/bound-expression.ts";
import { anyType, integerType, listOf } from "../binder/static-type.ts";
import { Variable } from "../binder/variable.ts";
import { type RowEstimates } from "../logical-plan/estimate-rows.ts";
import { type Aggregation, type Gather, type Operator, type PartitionedScan } from "../logical-plan/operator.ts";
import { inputsOf, mapInputs } from "../logical-plan/operator-tree.ts";

/** Rows to be gone through, of all operators below the cut, from which on a scan is worth splitting: about 20 ms. */
const HEAVY_ROWS = 200_000;
/** What a row that goes from thread to thread costs, in rows that are gone through. */
const GATHERED_COST = 16;
/** Groups come from every range again. */
const RANGES = 8;

/** A plan with a Gather in it, and the scan below that. */
export interface SplitPlan {
  readonly plan: Operator;
  readonly gather: Gather;
  readonly scan: PartitionedScan;
  /** Whether it takes much to make the rows, and little to hand them over. */
  readonly pays: boolean;
}

/**
 * The plan with its first scan split by ranges of ids, or `undefined` where that cannot be. What is below
 * the Gather is run for each range, what is above it once, with the rows of the ranges in their order: so the result is the
 * one of a single scan, row for row.
 *
 *     Aggregation(final) ← Gather ← Aggregation(partial) ← Filter ← Scan(of a range)
 *
 * Where there is neither an Aggregation nor a Distinct, Top or Limit that ranges can begin with, rows are gathered as they
 * are. The plan reads only, and the same way each time.
 */
export function splitScan(plan: Operator, estimates: RowEstimates): SplitPlan | undefined {
  const chain = chainOf(plan);
  const scanAt = chain.length - 2;
  const scan = chain[scanAt];
  if (scan === undefined || !isScan(scan)) {
    return undefined;
  }
  let top = scanAt;
  while (top > 0 && isRowByRow(chain[top - 1])) {
    top -= 1;
  }
  const rows = chain[top];
  const above = chain[top - 1];
  if (rows === undefined || above === undefined) {
    return undefined;
  }
  const stages = splitAt(above);
  if (stages === undefined) {
    return undefined;
  }
  const partitioned = replace(rows, scan, { ...scan, partitioned: true });
  const source = stages.partial === undefined ? partitioned : { ...stages.partial, source: partitioned };
  const gather: Gather = { kind: "Gather", source };
  const split = replace(plan, above, { ...stages.final, source: gather } as Operator);
  return { plan: split, gather, scan, pays: pays(stages.partial ?? rows, rows, estimates) };
}

/** The plan from its top along `source`. */
function chainOf(plan: Operator): readonly Operator[] {
  return "source" in plan ? [plan, ...chainOf(plan.source)] : [plan];
}

function isScan(operator: Operator): operator is PartitionedScan {
  return (
    operator.kind === "AllNodesScan" || operator.kind === "NodeByLabelScan" || operator.kind === "AllRelationshipsScan"
  );
}

const ROW_BY_ROW: ReadonlySet<Operator["kind"]> = new Set<Operator["kind"]>([
  "AllNodesScan",
  "NodeByLabelScan",
  "NodeIndexSeek",
  "EntityByIdSeek",
  "AllRelationshipsScan",
  "Expand",
  "ExpandIntersect",
  "CountExpand",
  "VariableLengthExpand",
  "ProjectEndpoints",
  "ShortestPath",
  "Filter",
  "Projection",
  "Unwind",
  "Optional",
  "Apply",
]);

/** Whether what the operator gives for a row depends on that row alone. */
function isRowByRow(operator: Operator | undefined): boolean {
  return operator !== undefined && ROW_BY_ROW.has(operator.kind);
}

interface Stages {
  /** What each range is brought to before it is gathered. */
  readonly partial: SplitOperator | undefined;
  readonly final: Operator;
}

type SplitOperator = Operator & { readonly kind: "Aggregation" | "Distinct" | "Top" | "Limit" };

/** The first operator that sees more than one row, in two stages. */
function splitAt(operator: Operator): Stages | undefined {
  switch (operator.kind) {
    case "Aggregation":
      return operator.aggregates.every(({ expression }) => isMergeable(expression)) ? inStages(operator) : undefined;
    case "Distinct":
    case "Top":
    case "Limit":
      return { partial: operator, final: operator };
    case "Skip":
    case "Sort":
    case "ProduceResults":
      return { partial: undefined, final: operator };
    default:
      return undefined;
  }
}

/** Sums are, where they are exact (runtime/partial-aggregates.ts); what sees each value once is told all of them. */
function isMergeable({ name, distinct, arguments: { length } }: BoundAggregate): boolean {
  return length <= 1 && (distinct || ["count", "collect", "sum", "avg", "min", "max"].includes(name));
}

function inStages(aggregation: Aggregation): Stages {
  const { weight: _weight, ...unweighted } = aggregation;
  const aggregates = aggregation.aggregates.map(({ variable, expression }) => ({
    variable: new Variable(`  ${variable.name.trim()}`, partialType(expression), true),
    expression,
  }));
  return {
    partial: { ...aggregation, stage: "partial", aggregates },
    final: {
      ...unweighted,
      stage: "final",
      keys: aggregation.keys.map(({ variable }) => ({ variable, expression: referenceTo(variable) })),
      aggregates: aggregation.aggregates.map(({ variable, expression }, index) => ({
        variable,
        expression: {
          ...expression,
          arguments: aggregates.slice(index, index + 1).map((each) => referenceTo(each.variable)),
        },
      })),
    },
  };
}

function partialType({ name, distinct, arguments: [argument] }: BoundAggregate): Variable["type"] {
  if (name === "count" && !distinct) {
    return integerType;
  }
  return distinct && argument !== undefined ? listOf(argument.type) : anyType;
}

function referenceTo(variable: Variable): { kind: "VariableReference"; type: Variable["type"]; variable: Variable } {
  return { kind: "VariableReference", type: variable.type, variable };
}

function pays(gathered: Operator, rows: Operator, estimates: RowEstimates): boolean {
  const work = rowsThrough(rows, estimates);
  const handedOver = Math.min(estimates.of(gathered) * RANGES, estimates.of(rows));
  return work >= HEAVY_ROWS && handedOver * GATHERED_COST <= work;
}

function rowsThrough(operator: Operator, estimates: RowEstimates): number {
  return inputsOf(operator).reduce((sum, input) => sum + rowsThrough(input, estimates), estimates.of(operator));
}

function replace(plan: Operator, old: Operator, replacement: Operator): Operator {
  return plan === old ? replacement : mapInputs(plan, (input) => replace(input, old, replacement));
}
