import { type BoundExpression } from "../binder/bound-expression.ts";
import { freeVariables } from "../binder/free-variables.ts";
import { type Variable } from "../binder/variable.ts";
import { type IndexLookup, type NodeIndexSeek } from "../logical-plan/operator.ts";
import { type IndexStatistics } from "../logical-plan/plan-statistics.ts";
import { type PlanContext } from "./plan-context.ts";

/** A way to use an index: what to ask it, how many entities that is expected to give, what it makes sure of. */
export interface IndexChoice {
  readonly index: IndexStatistics;
  readonly lookup: IndexLookup;
  readonly rows: number;
  /** Predicates that hold for everything the lookup gives. */
  readonly settles: readonly BoundExpression[];
}

/** Expected share of an index for ranges with one end, with two, for prefixes. */
const RANGE_SHARE = 0.3;
const BETWEEN_SHARE = 0.1;
const PREFIX_SHARE = 0.1;
/** Expected length of a list after IN, where it is not written out. */
const LIST_LENGTH = 10;

/**
 * The best use of an index over nodes with `label`, if there is any.
 *
 * @param predicates  what is asked of the node, besides much else
 * @param known       variables that have a value before the node is looked for
 * @param hinted      properties of the index that a hint names: no other will do
 */
export function chooseIndex(
  node: Variable,
  label: string,
  predicates: readonly BoundExpression[],
  known: ReadonlySet<Variable>,
  hinted: readonly string[] | undefined,
  context: PlanContext,
): IndexChoice | undefined {
  let best: IndexChoice | undefined;
  for (const index of context.statistics.indexesOf(label)) {
    const isWanted =
      hinted === undefined ||
      (hinted.length === index.properties.length && hinted.every((key) => index.properties.includes(key)));
    const choice = isWanted ? useOf(index, node, predicates, known, hinted !== undefined, context) : undefined;
    if (choice !== undefined && (best === undefined || choice.rows < best.rows)) {
      best = choice;
    }
  }
  return best;
}

/** The seek as an operator; the label is settled by it, too. */
export function indexSeek(
  node: Variable,
  label: string,
  labelPredicate: BoundExpression,
  { index, lookup, settles }: IndexChoice,
): Omit<NodeIndexSeek, "source"> {
  const { properties, unique } = index;
  const asked = [labelPredicate, ...settles];
  return { kind: "NodeIndexSeek", node, label, properties, unique, lookup, asked };
}

function useOf(
  index: IndexStatistics,
  node: Variable,
  predicates: readonly BoundExpression[],
  known: ReadonlySet<Variable>,
  isHinted: boolean,
  context: PlanContext,
): IndexChoice | undefined {
  const asked = new Questions(node, predicates, known);
  const equalities = index.properties.map((property) => asked.equality(property));
  const perValue = index.size / Math.max(1, index.distinct);
  if (equalities.every((each) => each !== undefined)) {
    const values = equalities.map((each) => each.value);
    // 2.3 refuses to compare entities with anything else: the predicate has to see to that.
    const settles = context.mode === "2.3" ? [] : equalities.map((each) => each.predicate);
    const rows = index.unique ? Math.min(1, index.size) : perValue;
    return { index, lookup: { kind: "values", values }, rows, settles };
  }
  const [property] = index.properties;
  if (property === undefined || index.properties.length > 1) {
    return isHinted && index.properties.every((each) => asked.mentions(each))
      ? { index, lookup: { kind: "exists" }, rows: index.size, settles: [] }
      : undefined;
  }
  const list = asked.membership(property);
  if (list !== undefined) {
    const length = list.kind === "List" ? list.items.length : LIST_LENGTH;
    return { index, lookup: { kind: "any", list }, rows: perValue * length, settles: [] };
  }
  // What does not compare is an error in 2.3, unless a hint says that only the index is to be looked at.
  const all = context.mode === "2.3" && !isHinted;
  const prefix = asked.prefix(property);
  if (prefix !== undefined) {
    return { index, lookup: { kind: "prefix", prefix }, rows: index.size * PREFIX_SHARE, settles: [] };
  }
  const { low, high } = asked.range(property);
  if (low !== undefined || high !== undefined) {
    const share = low !== undefined && high !== undefined ? BETWEEN_SHARE : RANGE_SHARE;
    return { index, lookup: { kind: "range", low, high, all }, rows: index.size * share, settles: [] };
  }
  const exists = asked.existence(property);
  return exists === undefined ? undefined : { index, lookup: { kind: "exists" }, rows: index.size, settles: [exists] };
}

/** What predicates ask of one node's properties, the other side known. */
class Questions {
  readonly #node: Variable;
  readonly #predicates: readonly BoundExpression[];
  readonly #known: ReadonlySet<Variable>;

  constructor(node: Variable, predicates: readonly BoundExpression[], known: ReadonlySet<Variable>) {
    this.#node = node;
    this.#predicates = predicates;
    this.#known = known;
  }

  equality(property: string): { readonly predicate: BoundExpression; readonly value: BoundExpression } | undefined {
    for (const predicate of this.#predicates) {
      const value = this.#otherSide(predicate, "=", property) ?? this.#otherSide(predicate, "=", property, true);
      if (value !== undefined) {
        return { predicate, value };
      }
    }
    return undefined;
  }

  membership(property: string): BoundExpression | undefined {
    return this.#first((predicate) => this.#otherSide(predicate, "IN", property));
  }

  prefix(property: string): BoundExpression | undefined {
    return this.#first((predicate) => this.#otherSide(predicate, "STARTS WITH", property));
  }

  range(property: string): { readonly low: BoundExpression | undefined; readonly high: BoundExpression | undefined } {
    const end = (there: readonly string[], turned: readonly string[]): BoundExpression | undefined =>
      this.#first((predicate) => {
        const straight = there.map((operator) => this.#otherSide(predicate, operator, property));
        const reversed = turned.map((operator) => this.#otherSide(predicate, operator, property, true));
        return [...straight, ...reversed].find((each) => each !== undefined);
      });
    return { low: end([">", ">="], ["<", "<="]), high: end(["<", "<="], [">", ">="]) };
  }

  existence(property: string): BoundExpression | undefined {
    return this.#predicates.find(
      (predicate) => predicate.kind === "IsNull" && predicate.negated && this.#isProperty(predicate.operand, property),
    );
  }

  /** Whether anything is asked that no entity without the property answers. */
  mentions(property: string): boolean {
    const { low, high } = this.range(property);
    const asked = [this.equality(property), this.membership(property), this.prefix(property), low, high];
    return asked.some((each) => each !== undefined) || this.existence(property) !== undefined;
  }

  #first(find: (predicate: BoundExpression) => BoundExpression | undefined): BoundExpression | undefined {
    for (const predicate of this.#predicates) {
      const found = find(predicate);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }

  /** The right side of `n.property <operator> …`, or the left side when it is turned round. */
  #otherSide(
    predicate: BoundExpression,
    operator: string,
    property: string,
    turned = false,
  ): BoundExpression | undefined {
    if (predicate.kind !== "Binary" || predicate.operator !== operator) {
      return undefined;
    }
    const [mine, other] = turned ? [predicate.right, predicate.left] : [predicate.left, predicate.right];
    const isKnown = [...freeVariables(other)].every((variable) => this.#known.has(variable));
    return this.#isProperty(mine, property) && isKnown ? other : undefined;
  }

  #isProperty(expression: BoundExpression, property: string): boolean {
    return (
      expression.kind === "Property" &&
      expression.key === property &&
      expression.subject.kind === "VariableReference" &&
      expression.subject.variable === this.#node
    );
  }
}
