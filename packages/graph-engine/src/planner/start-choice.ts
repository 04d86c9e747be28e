import { type BoundExpression } from "../binder/bound-expression.ts";
import { type BoundHint, type PatternRelationship } from "../binder/bound-query.ts";
import { freeVariables } from "../binder/free-variables.ts";
import { anyType, listOf } from "../binder/static-type.ts";
import { type Variable } from "../binder/variable.ts";
import { type Operator } from "../logical-plan/operator.ts";
import { chooseIndex, indexSeek } from "./index-choice.ts";
import { labelAskedOf } from "./labels-asked.ts";
import { type PlanContext } from "./plan-context.ts";

/** A way into the graph. */
export interface StartChoice {
  readonly node: Variable;
  /** Nodes it gives, each weighed with how far predicates are expected to thin them out. */
  readonly cost: number;
  /** Nodes it looks at. */
  readonly looks: number;
  /** Predicates that need no check any more. */
  readonly settles: readonly BoundExpression[];
  readonly operator: (source: Operator) => Operator;
}

/** Below what any other way in can cost. */
const HINTED_COST = -1;

/** The cheapest way in: by id, by an index, by a label, or over all nodes; where hints say how, so. */
export function chooseStart(
  nodes: readonly Variable[],
  predicates: readonly BoundExpression[],
  known: ReadonlySet<Variable>,
  relationships: readonly PatternRelationship[],
  hints: readonly BoundHint[],
  context: PlanContext,
): StartChoice | undefined {
  let best: StartChoice | undefined;
  for (const node of nodes) {
    const choice = startAt(node, predicates, known, relationships, hints, context);
    if (best === undefined || choice.cost < best.cost) {
      best = choice;
    }
  }
  return best;
}

/** The cheapest way in at one node. */
export function startAt(
  node: Variable,
  predicates: readonly BoundExpression[],
  known: ReadonlySet<Variable>,
  relationships: readonly PatternRelationship[],
  hints: readonly BoundHint[],
  context: PlanContext,
): StartChoice {
  const hint = hints.find((each) => each.variable === node);
  return (
    (hint === undefined ? undefined : hintedChoice(hint, predicates, known, context)) ??
    choiceFor(node, predicates, known, relationships, context)
  );
}

/** The way in that a hint names, if it can be gone. */
function hintedChoice(
  { variable: node, label, properties }: BoundHint,
  predicates: readonly BoundExpression[],
  known: ReadonlySet<Variable>,
  context: PlanContext,
): StartChoice | undefined {
  const [isLabelled] = predicates.filter((each) => labelAskedFor(each, node).some((one) => one.label === label));
  if (isLabelled === undefined) {
    return undefined;
  }
  if (properties === undefined) {
    return {
      node,
      cost: HINTED_COST,
      looks: context.statistics.nodesWithLabel(label),
      settles: [isLabelled],
      operator: (source) => ({ kind: "NodeByLabelScan", source, node, label }),
    };
  }
  const choice = chooseIndex(node, label, predicates, known, properties, context);
  return choice === undefined
    ? undefined
    : {
        node,
        cost: HINTED_COST,
        looks: choice.rows,
        settles: [isLabelled, ...choice.settles],
        operator: (source) => ({ source, ...indexSeek(node, label, isLabelled, choice) }),
      };
}

function choiceFor(
  node: Variable,
  predicates: readonly BoundExpression[],
  known: ReadonlySet<Variable>,
  relationships: readonly PatternRelationship[],
  context: PlanContext,
): StartChoice {
  const byId = predicates.map((predicate) => idsAskedFor(predicate, node, known)).find((ids) => ids !== undefined);
  if (byId !== undefined) {
    return {
      node,
      cost: 1,
      looks: 1,
      settles: [],
      operator: (source) => ({
        kind: "EntityByIdSeek",
        source,
        entity: "node",
        variable: node,
        ids: byId,
        strict: false,
      }),
    };
  }
  const labels = predicates.flatMap((predicate) => labelAskedFor(predicate, node));
  const selectivity = ownSelectivity(node, labels, predicates, known, context);
  const seek = cheapestSeek(node, labels, predicates, known, context);
  let cheapest: { readonly label: string; readonly predicate: BoundExpression; readonly count: number } | undefined;
  for (const { label, predicate } of labels) {
    const count = context.statistics.nodesWithLabel(label);
    if (cheapest === undefined || count < cheapest.count) {
      cheapest = { label, predicate, count };
    }
  }
  // Among equals the end of a chain is better than its middle: fewer rows are carried along.
  const hanging = relationships.filter((each) => each.from === node || each.to === node).length;
  const tieBreak = 1 + hanging / 1000;
  if (seek !== undefined && (cheapest === undefined || seek.cost <= cheapest.count)) {
    return { ...seek, cost: seek.cost * tieBreak };
  }
  if (cheapest !== undefined) {
    const { label, predicate, count } = cheapest;
    return {
      node,
      cost: (count + 1) * selectivity * tieBreak,
      looks: count,
      settles: [predicate],
      operator: (source) => ({ kind: "NodeByLabelScan", source, node, label }),
    };
  }
  return {
    node,
    cost: (context.statistics.nodeCount() + 2) * selectivity * tieBreak,
    looks: context.statistics.nodeCount(),
    settles: [],
    operator: (source) => ({ kind: "AllNodesScan", source, node }),
  };
}

function cheapestSeek(
  node: Variable,
  labels: readonly { readonly label: string; readonly predicate: BoundExpression }[],
  predicates: readonly BoundExpression[],
  known: ReadonlySet<Variable>,
  context: PlanContext,
): StartChoice | undefined {
  let best: StartChoice | undefined;
  for (const { label, predicate } of labels) {
    const choice = chooseIndex(node, label, predicates, known, undefined, context);
    if (choice !== undefined && (best === undefined || choice.rows < best.cost)) {
      best = {
        node,
        cost: choice.rows,
        looks: choice.rows,
        settles: [predicate, ...choice.settles],
        operator: (source) => ({ source, ...indexSeek(node, label, predicate, choice) }),
      };
    }
  }
  return best;
}

/** `id(n) = x` and `id(n) IN list`, the other side known: the list of ids. */
function idsAskedFor(
  predicate: BoundExpression,
  node: Variable,
  known: ReadonlySet<Variable>,
): BoundExpression | undefined {
  if (predicate.kind !== "Binary") {
    return undefined;
  }
  const { left, right, operator } = predicate;
  if (operator === "IN" && isIdOf(left, node) && isKnown(right, known)) {
    return right;
  }
  if (operator === "=") {
    const other = isIdOf(left, node) ? right : isIdOf(right, node) ? left : undefined;
    if (other !== undefined && isKnown(other, known)) {
      return { kind: "List", type: listOf(anyType), items: [other] };
    }
  }
  return undefined;
}

function isIdOf(expression: BoundExpression, node: Variable): boolean {
  const [argument] = expression.kind === "Call" && expression.function.name === "id" ? expression.arguments : [];
  return argument?.kind === "VariableReference" && argument.variable === node;
}

/** The share of the nodes that what is asked of the node alone is expected to leave. */
function ownSelectivity(
  node: Variable,
  labels: readonly { readonly label: string }[],
  predicates: readonly BoundExpression[],
  known: ReadonlySet<Variable>,
  context: PlanContext,
): number {
  const names = labels.map(({ label }) => label);
  return predicates
    .filter((predicate) => labelAskedFor(predicate, node).length === 0 && isAskedOf(predicate, node, known))
    .reduce((share, predicate) => share * context.cardinality.selectivity(predicate, () => names), 1);
}

/** Whether a predicate can be judged once the node is known, and not before. */
function isAskedOf(predicate: BoundExpression, node: Variable, known: ReadonlySet<Variable>): boolean {
  const free = freeVariables(predicate);
  return free.has(node) && [...free].every((variable) => variable === node || known.has(variable));
}

function isKnown(expression: BoundExpression, known: ReadonlySet<Variable>): boolean {
  return [...freeVariables(expression)].every((variable) => known.has(variable));
}

function labelAskedFor(
  predicate: BoundExpression,
  node: Variable,
): readonly { readonly label: string; readonly predicate: BoundExpression }[] {
  const label = labelAskedOf(node, predicate);
  return label === undefined ? [] : [{ label, predicate }];
}
