import { type BoundExpression } from "../binder/bound-expression.ts";
import { type Variable } from "../binder/variable.ts";
import { Cardinality, LIST_LENGTH } from "./cardinality.ts";
import { type Distinct, type ExpandIntersect, type Filter, type NodeIndexSeek, type Operator } from "./operator.ts";
import { inputsOf } from "./operator-tree.ts";
import { type PlanStatistics } from "./plan-statistics.ts";

/** Groups per row, and rows that stay distinct, for want of better knowledge. */
const GROUPING_EXPONENT = 0.5;
const DISTINCT_SHARE = 0.95;
/** A LIMIT that is a parameter. */
const PARAMETER_COUNT = 100;
/** Expected share of an index for ranges and prefixes. */
const RANGE_SHARE = 0.3;

/** How many rows the operators of a plan are expected to give, from live counts and samples. */
export class RowEstimates {
  readonly #statistics: PlanStatistics;
  readonly #cardinality: Cardinality;
  readonly #known = new Map<Operator, number>();

  constructor(statistics: PlanStatistics) {
    this.#statistics = statistics;
    this.#cardinality = new Cardinality(statistics);
  }

  of(operator: Operator): number {
    let rows = this.#known.get(operator);
    if (rows === undefined) {
      rows = this.#estimate(operator);
      this.#known.set(operator, rows);
    }
    return rows;
  }

  #estimate(operator: Operator): number {
    const source = (): number => ("source" in operator ? this.of(operator.source) : 1);
    switch (operator.kind) {
      case "Argument":
        return 1;
      case "AllNodesScan":
        return source() * this.#statistics.nodeCount();
      case "NodeByLabelScan":
        return source() * this.#statistics.nodesWithLabel(operator.label);
      case "NodeIndexSeek":
        return source() * this.#seekRows(operator);
      case "AllRelationshipsScan":
        return source() * this.#statistics.relationships([]);
      case "Expand":
      case "CountExpand":
      case "VariableLengthExpand":
        return source() * this.#perNode(operator);
      case "ExpandIntersect":
        return source() * this.#meeting(operator);
      case "Filter":
        return source() * this.#passing(operator);
      case "Join":
        return source() * this.#joined(operator);
      case "Aggregation":
        if (operator.stage === "final") {
          return source();
        }
        return operator.keys.length === 0 ? 1 : this.#groups(operator.keys, operator.source);
      case "Distinct":
        return this.#distinct(operator);
      case "Unwind":
        return source() * (operator.list.kind === "List" ? operator.list.items.length : LIST_LENGTH);
      case "Limit":
        return Math.min(source(), countOf(operator.count));
      case "Top":
        return Math.min(
          source(),
          operator.counts.reduce((sum, count) => sum + countOf(count), 0),
        );
      case "Union":
        return operator.parts.reduce((sum, part) => sum + this.of(part.plan), 0);
      case "Optional":
      case "Apply":
      case "Merge":
        return source() * Math.max(1, this.of(operator.inner));
      case "EmptyResult":
        return 0;
      default:
        return source();
    }
  }

  #perNode(operator: Operator & { readonly kind: "Expand" | "CountExpand" | "VariableLengthExpand" }): number {
    const degree = this.#cardinality.degree(labelsBelow(operator, operator.from), operator.types, operator.direction);
    if (operator.kind === "CountExpand") {
      return Math.min(1, degree);
    }
    const each = operator.kind === "Expand" ? degree : this.#cardinality.walks(degree, operator.length);
    return operator.into ? Math.min(1, each / Math.max(1, this.#cardinality.nodes([]))) : each;
  }

  #meeting(operator: ExpandIntersect): number {
    const all = Math.max(1, this.#cardinality.nodes([]));
    return operator.legs.reduce((rows, { from, types, direction }) => {
      return (rows * this.#cardinality.degree(labelsBelow(operator, from), types, direction)) / all;
    }, all);
  }

  #passing(filter: Filter): number {
    const labelsOf = (variable: Variable): readonly string[] => labelsBelow(filter, variable);
    return filter.predicates.reduce((share, predicate) => share * this.#share(predicate, filter, labelsOf), 1);
  }

  /** A label asked of the far end of a relationship is judged by what such relationships lead to. */
  #share(predicate: BoundExpression, filter: Filter, labelsOf: (variable: Variable) => readonly string[]): number {
    if (
      predicate.kind === "HasLabels" &&
      predicate.labels.kind === "Name" &&
      predicate.subject.kind === "VariableReference"
    ) {
      const { variable } = predicate.subject;
      const expand = expandTo(variable, filter.source);
      if (expand !== undefined) {
        return this.#cardinality.leadingTo([predicate.labels.name], expand.types, expand.direction);
      }
    }
    return this.#cardinality.selectivity(predicate, labelsOf);
  }

  #joined(join: Operator & { readonly kind: "Join" }): number {
    const inner = this.of(join.inner);
    const labelsOf = (variable: Variable): readonly string[] => labelsBelow(join, variable);
    return join.keys.reduce((rows, { outer, inner: key }) => {
      const distinct = [outer, key].map((side) => this.#cardinality.distinct(side, labelsOf) ?? LIST_LENGTH);
      return rows / Math.max(...distinct);
    }, inner);
  }

  #distinct({ columns, source }: Distinct): number {
    const items = source.kind === "Projection" ? source.items.filter(({ variable }) => columns.includes(variable)) : [];
    const share = this.of(source) * DISTINCT_SHARE;
    const isKnown = items.length === columns.length && items.length > 0;
    return isKnown ? Math.min(share, this.#groups(items, source)) : share;
  }

  #groups(keys: readonly { readonly expression: BoundExpression }[], source: Operator): number {
    const rows = this.of(source);
    const labelsOf = (variable: Variable): readonly string[] => labelsBelow(source, variable);
    const groups = keys.map(({ expression }) => this.#cardinality.distinct(expression, labelsOf));
    return groups.every((each) => each !== undefined)
      ? Math.min(
          rows,
          groups.reduce((product, each) => product * each, 1),
        )
      : rows ** GROUPING_EXPONENT;
  }

  #seekRows({ label, properties, unique, lookup }: NodeIndexSeek): number {
    const indexes = this.#statistics.indexesOf(label);
    const index = indexes.find((each) => each.properties.join("\0") === properties.join("\0"));
    const { size = 0, distinct = 0 } = index ?? {};
    const perValue = unique ? Math.min(1, size) : size / Math.max(1, distinct);
    switch (lookup.kind) {
      case "values":
        return perValue;
      case "any":
        return perValue * (lookup.list.kind === "List" ? lookup.list.items.length : LIST_LENGTH);
      case "range":
      case "prefix":
        return size * RANGE_SHARE;
      case "exists":
        return size;
    }
  }
}

/** What LIMIT says, or is expected to say. */
function countOf(count: BoundExpression): number {
  return count.kind === "Literal" ? Number(count.value) : PARAMETER_COUNT;
}

/** The labels that a variable's nodes have, as the plan up to `operator` makes sure. */
function labelsBelow(operator: Operator, variable: Variable): readonly string[] {
  const labels = new Set<string>();
  const visit = (each: Operator): void => {
    if ((each.kind === "NodeByLabelScan" || each.kind === "NodeIndexSeek") && each.node === variable) {
      labels.add(each.label);
    } else if (each.kind === "Filter") {
      each.predicates.forEach((predicate) => {
        if (
          predicate.kind === "HasLabels" &&
          predicate.labels.kind === "Name" &&
          predicate.subject.kind === "VariableReference" &&
          predicate.subject.variable === variable
        ) {
          labels.add(predicate.labels.name);
        }
      });
    }
    inputsOf(each).forEach(visit);
  };
  visit(operator);
  return [...labels];
}

function expandTo(
  variable: Variable,
  plan: Operator,
): (Operator & { readonly kind: "Expand" | "VariableLengthExpand" }) | undefined {
  let operator = plan;
  while (operator.kind === "Expand" || operator.kind === "VariableLengthExpand" || operator.kind === "Filter") {
    if (operator.kind !== "Filter" && operator.to === variable && !operator.into) {
      return operator;
    }
    operator = operator.source;
  }
  return undefined;
}
