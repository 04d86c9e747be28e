import { type PropertyValue, WholeFloat } from "@trefoil/graph-store";
import { type BoundBinary, type BoundExpression } from "../binder/bound-expression.ts";
import { type Direction, type PathLength } from "../binder/bound-query.ts";
import { type Variable } from "../binder/variable.ts";
import { type EquivalenceKey, equivalenceKey } from "../values/equivalence.ts";
import { type Value } from "../values/value.ts";
import { type PlanStatistics } from "./plan-statistics.ts";

/** Which labels the nodes of a variable are known to have. */
export type KnownLabels = (variable: Variable) => readonly string[];

/** Shares of rows expected to pass, where nothing better is known. */
const ANY_PREDICATE = 0.25;
const RANGE_OF_UNKNOWN = 0.3;
const EQUAL_TO_UNKNOWN = 0.1;
const PART_OF_TEXT = 0.1;
/** Expected length of a list that is not written out. */
export const LIST_LENGTH = 10;
/** Walks without an upper bound are expected to be looked at up to here. */
const LONGEST_EXPECTED_WALK = 6;

/**
 * How many there will be: from live counts by label and by label and type, and from samples of the values themselves,
 * which tell how often a comparison with a literal holds and how many different values there are.
 */
export class Cardinality {
  readonly #statistics: PlanStatistics;
  readonly #samples = new Map<string, Sample>();

  constructor(statistics: PlanStatistics) {
    this.#statistics = statistics;
  }

  /** Nodes with all these labels, expected to go together. */
  nodes(labels: readonly string[]): number {
    return Math.min(this.#statistics.nodeCount(), ...labels.map((label) => this.#statistics.nodesWithLabel(label)));
  }

  /** Relationships that a node with these labels has on average, as seen from it. */
  degree(labels: readonly string[], types: readonly string[], direction: Direction): number {
    if (direction === "both") {
      return this.degree(labels, types, "out") + this.degree(labels, types, "in");
    }
    const rarest = this.#rarest(labels);
    return rarest === undefined
      ? this.#statistics.relationships(types) / Math.max(1, this.#statistics.nodeCount())
      : this.#statistics.relationshipsAt(rarest, types, direction) /
          Math.max(1, this.#statistics.nodesWithLabel(rarest));
  }

  /** The share of relationships, gone along in `direction`, that lead to a node with all these labels. */
  leadingTo(labels: readonly string[], types: readonly string[], direction: Direction): number {
    if (direction === "both") {
      return (this.leadingTo(labels, types, "out") + this.leadingTo(labels, types, "in")) / 2;
    }
    const far = direction === "out" ? "in" : "out";
    const all = Math.max(1, this.#statistics.relationships(types));
    return Math.min(1, ...labels.map((label) => this.#statistics.relationshipsAt(label, types, far) / all));
  }

  /** Walks of the wanted lengths from one node. */
  walks(degree: number, length: PathLength): number {
    const shortest = Math.min(length.minimum, LONGEST_EXPECTED_WALK);
    const longest = Math.min(length.maximum ?? LONGEST_EXPECTED_WALK, LONGEST_EXPECTED_WALK);
    let walks = 0;
    for (let steps = shortest; steps <= longest; steps++) {
      walks += degree ** steps;
    }
    return walks;
  }

  /** The share of rows for which a predicate is expected to be true. */
  selectivity(predicate: BoundExpression, labelsOf: KnownLabels): number {
    switch (predicate.kind) {
      case "Literal":
        return predicate.value === true ? 1 : 0;
      case "DistinctRelationships":
        return 1;
      case "HasLabels":
        return predicate.labels.kind === "Name"
          ? this.#statistics.nodesWithLabel(predicate.labels.name) / Math.max(1, this.#statistics.nodeCount())
          : ANY_PREDICATE;
      case "IsNull": {
        const missing = this.#sampleOf(predicate.operand, labelsOf)?.share((value) => value === undefined);
        return missing === undefined ? ANY_PREDICATE : predicate.negated ? 1 - missing : missing;
      }
      case "Unary":
        return predicate.operator === "NOT" ? 1 - this.selectivity(predicate.operand, labelsOf) : ANY_PREDICATE;
      case "Binary":
        return this.#binarySelectivity(predicate, labelsOf);
      default:
        return ANY_PREDICATE;
    }
  }

  /** Different values of an expression, if it is a property of nodes. */
  distinct(expression: BoundExpression, labelsOf: KnownLabels): number | undefined {
    return this.#sampleOf(expression, labelsOf)?.distinct;
  }

  #binarySelectivity({ operator, left, right }: BoundBinary, labelsOf: KnownLabels): number {
    switch (operator) {
      case "AND":
        return this.selectivity(left, labelsOf) * this.selectivity(right, labelsOf);
      case "OR":
        return 1 - (1 - this.selectivity(left, labelsOf)) * (1 - this.selectivity(right, labelsOf));
      case "=":
        return this.#equality(left, right, labelsOf);
      case "<>":
        return 1 - this.#equality(left, right, labelsOf);
      case "IN":
        return right.kind === "List"
          ? Math.min(
              1,
              right.items.reduce((sum, item) => sum + this.#equality(left, item, labelsOf), 0),
            )
          : Math.min(1, this.#equality(left, undefined, labelsOf) * LIST_LENGTH);
      case "<":
      case "<=":
      case ">":
      case ">=":
        return this.#range(operator, left, right, labelsOf) ?? RANGE_OF_UNKNOWN;
      case "STARTS WITH":
      case "ENDS WITH":
      case "CONTAINS":
      case "=~":
        return this.#textPart(operator, left, right, labelsOf) ?? PART_OF_TEXT;
      default:
        return ANY_PREDICATE;
    }
  }

  #equality(left: BoundExpression, right: BoundExpression | undefined, labelsOf: KnownLabels): number {
    const samples = [left, right].map((side) => (side === undefined ? undefined : this.#sampleOf(side, labelsOf)));
    const sample = samples.find((each) => each !== undefined);
    if (sample === undefined) {
      return EQUAL_TO_UNKNOWN;
    }
    const distinct = Math.max(...samples.map((each) => each?.distinct ?? 1));
    const literal = [left, right].find((side) => side?.kind === "Literal");
    const found = literal?.kind === "Literal" ? sample.share((value) => isSame(value, literal.value)) : 0;
    // What the sample has met once, or not at all, says nothing of how often it is there.
    return found * sample.size > 1 ? found : sample.share((value) => value !== undefined) / Math.max(1, distinct);
  }

  #range(operator: string, left: BoundExpression, right: BoundExpression, labelsOf: KnownLabels): number | undefined {
    const turned = left.kind === "Literal";
    const literal = turned ? left : right;
    const sample = this.#sampleOf(turned ? right : left, labelsOf);
    if (literal.kind !== "Literal" || sample === undefined) {
      return undefined;
    }
    const wantsMore = operator.startsWith(">") !== turned;
    return sample.share((value) => {
      const order = compared(value, literal.value);
      return order !== undefined && ((wantsMore ? order > 0 : order < 0) || (order === 0 && operator.endsWith("=")));
    });
  }

  #textPart(
    operator: string,
    left: BoundExpression,
    right: BoundExpression,
    labelsOf: KnownLabels,
  ): number | undefined {
    const sample = this.#sampleOf(left, labelsOf);
    const part = right.kind === "Literal" ? right.value : undefined;
    if (sample === undefined || typeof part !== "string" || operator === "=~") {
      return undefined;
    }
    const test = { "STARTS WITH": "startsWith", "ENDS WITH": "endsWith", CONTAINS: "includes" } as const;
    const method = test[operator as keyof typeof test];
    const found = sample.share((value) => typeof value === "string" && value[method](part));
    return Math.max(found, 1 / Math.max(1, sample.distinct));
  }

  #sampleOf(expression: BoundExpression, labelsOf: KnownLabels): Sample | undefined {
    if (
      expression.kind !== "Property" ||
      expression.subject.kind !== "VariableReference" ||
      expression.subject.variable.type.kind !== "node"
    ) {
      return undefined;
    }
    const label = this.#rarest(labelsOf(expression.subject.variable));
    const key = JSON.stringify([label, expression.key]);
    let sample = this.#samples.get(key);
    if (sample === undefined) {
      const population = label === undefined ? this.#statistics.nodeCount() : this.#statistics.nodesWithLabel(label);
      sample = new Sample(this.#statistics.sample(label, expression.key), population);
      this.#samples.set(key, sample);
    }
    return sample.isEmpty ? undefined : sample;
  }

  #rarest(labels: readonly string[]): string | undefined {
    const counts = labels.map((label) => this.#statistics.nodesWithLabel(label));
    return labels[counts.indexOf(Math.min(...counts))];
  }
}

/** What some values tell of all. */
class Sample {
  readonly #values: readonly (PropertyValue | undefined)[];
  /** How many different values there are in all (Charikar et al. 2000: what was met once stands for many more). */
  readonly distinct: number;

  constructor(values: readonly (PropertyValue | undefined)[], population: number) {
    this.#values = values;
    const counts = new Map<EquivalenceKey, number>();
    for (const value of values) {
      if (value !== undefined) {
        const key = equivalenceKey(value, "modern");
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const once = [...counts.values()].filter((count) => count === 1).length;
    const scale = Math.max(1, population / Math.max(1, values.length));
    // Where all are different, so are those that were not met.
    const factor = once === values.length ? scale : Math.sqrt(scale);
    this.distinct = Math.max(1, once * factor + (counts.size - once));
  }

  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  get size(): number {
    return this.#values.length;
  }

  share(test: (value: PropertyValue | undefined) => boolean): number {
    return this.#values.filter(test).length / Math.max(1, this.#values.length);
  }
}

function isSame(value: PropertyValue | undefined, literal: Value): boolean {
  return value !== undefined && compared(value, literal) === 0;
}

/** Order of numbers and of texts; `undefined` of what does not compare. */
function compared(value: PropertyValue | undefined, literal: Value): number | undefined {
  const [left, right] = [plain(value), plain(literal)];
  if (typeof left !== typeof right || (typeof left !== "number" && typeof left !== "string")) {
    return typeof left === "boolean" && left === right ? 0 : undefined;
  }
  return left === right ? 0 : (left as number) < (right as number) ? -1 : 1;
}

function plain(value: Value | PropertyValue | undefined): unknown {
  return value instanceof WholeFloat ? value.value : typeof value === "bigint" ? Number(value) : value;
}
