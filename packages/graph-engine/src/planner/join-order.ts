import { type BoundExpression } from "../binder/bound-expression.ts";
import { type BoundMatch, type PatternRelationship } from "../binder/bound-query.ts";
import { freeVariables } from "../binder/free-variables.ts";
import { type Variable } from "../binder/variable.ts";
import { labelsAskedOf } from "./labels-asked.ts";
import { legsTo, opposite } from "./intersect.ts";
import { type PlanContext } from "./plan-context.ts";
import { startAt, type StartChoice } from "./start-choice.ts";

/** One step of a search: into the graph at a node, along a relationship from what is known, or to where several lead. */
export type SearchStep =
  | { readonly kind: "start"; readonly node: Variable }
  | { readonly kind: "traverse"; readonly relationship: PatternRelationship }
  | { readonly kind: "intersect"; readonly node: Variable };

/** Patterns of more parts are planned greedily: the number of orders grows too fast. */
const MOST_PARTS = 12;
/** States to look at before giving up on the best order. */
const MOST_STATES = 4000;
/** Shares never become nothing: what is not expected may still be there. */
const LEAST_SHARE = 1e-6;

interface State {
  readonly known: number;
  readonly cost: number;
  readonly rows: number;
  readonly before: State | undefined;
  readonly step: SearchStep | undefined;
}

/**
 * The order in which a pattern is searched at the least expected cost: dynamic programming over what is known already
 * (Moerkotte and Neumann 2008), each set of parts by its cheapest order. The cost is the number of nodes and
 * relationships looked at.
 *
 * @returns  `undefined` for patterns that are too large, or have nothing to choose
 */
export function bestOrder(
  clause: BoundMatch,
  predicates: readonly BoundExpression[],
  outer: ReadonlySet<Variable>,
  context: PlanContext,
): readonly SearchStep[] | undefined {
  const nodes = clause.pattern.nodes.filter((node) => !outer.has(node));
  const { relationships } = clause.pattern;
  const parts = nodes.length + relationships.length;
  return parts > MOST_PARTS || nodes.length === 0 || parts === 1
    ? undefined
    : new OrderSearch(clause, nodes, predicates, outer, context).search();
}

class OrderSearch {
  readonly #clause: BoundMatch;
  readonly #nodes: readonly Variable[];
  readonly #relationships: readonly PatternRelationship[];
  readonly #predicates: readonly BoundExpression[];
  readonly #outer: ReadonlySet<Variable>;
  readonly #context: PlanContext;
  /** Per predicate, the parts that have to be known; 0 when there is nothing to wait for. */
  readonly #needs: readonly number[];
  readonly #shares: readonly number[];

  constructor(
    clause: BoundMatch,
    nodes: readonly Variable[],
    predicates: readonly BoundExpression[],
    outer: ReadonlySet<Variable>,
    context: PlanContext,
  ) {
    this.#clause = clause;
    this.#nodes = nodes;
    this.#relationships = clause.pattern.relationships;
    this.#predicates = predicates;
    this.#outer = outer;
    this.#context = context;
    this.#needs = predicates.map((predicate) => this.#partsOf(predicate));
    this.#shares = predicates.map((predicate) =>
      Math.max(
        LEAST_SHARE,
        context.cardinality.selectivity(predicate, (each) => this.#labelsOf(each)),
      ),
    );
  }

  search(): readonly SearchStep[] | undefined {
    const all = 2 ** (this.#nodes.length + this.#relationships.length) - 1;
    const first: State = { known: 0, cost: 0, rows: 1, before: undefined, step: undefined };
    let layer = new Map<number, State>([[0, first]]);
    let states = 0;
    // A step may make two parts known at once: states wait in the layer of their number of parts.
    const layers = new Map<number, Map<number, State>>();
    for (let parts = 0; ; parts++) {
      for (const state of layer.values()) {
        if (state.known === all) {
          return stepsOf(state);
        }
        states += 1;
        if (states > MOST_STATES) {
          return undefined;
        }
        for (const next of this.#next(state)) {
          const size = bitCount(next.known);
          const others = layers.get(size) ?? new Map<number, State>();
          const known = others.get(next.known);
          if (known === undefined || next.cost < known.cost) {
            others.set(next.known, next);
          }
          layers.set(size, others);
        }
      }
      layer = layers.get(parts + 1) ?? new Map<number, State>();
      if (parts > this.#nodes.length + this.#relationships.length) {
        return undefined;
      }
    }
  }

  *#next(state: State): Generator<State> {
    let hasRelationship = false;
    for (const [index, relationship] of this.#relationships.entries()) {
      const bit = this.#relationshipBit(index);
      if ((state.known & bit) === 0) {
        const next = this.#traversed(state, relationship, bit);
        if (next !== undefined) {
          hasRelationship = true;
          yield next;
        }
      }
    }
    for (const [index, node] of this.#nodes.entries()) {
      if ((state.known & (1 << index)) === 0) {
        yield* this.#intersected(state, node, 1 << index);
        yield* this.#started(state, node, 1 << index, hasRelationship);
      }
    }
  }

  #traversed(state: State, relationship: PatternRelationship, bit: number): State | undefined {
    const { cardinality } = this.#context;
    const fromBit = this.#nodeBit(relationship.from);
    const toBit = this.#nodeBit(relationship.to);
    const hasFrom = (state.known & fromBit) === fromBit;
    const hasTo = (state.known & toBit) === toBit;
    const known = state.known | bit | fromBit | toBit;
    const step: SearchStep = { kind: "traverse", relationship };
    if (relationship.bound) {
      const rows = state.rows * this.#share(state.known, known);
      return { known, cost: state.cost + state.rows, rows, before: state, step };
    }
    if (!hasFrom && !hasTo) {
      return undefined;
    }
    const [near, far] = hasFrom ? [relationship.from, relationship.to] : [relationship.to, relationship.from];
    const direction = hasFrom ? relationship.direction : opposite(relationship.direction);
    const degree = cardinality.degree(this.#labelsOf(near), relationship.types, direction);
    const each = relationship.length === undefined ? degree : cardinality.walks(degree, relationship.length);
    const farLabels = this.#labelsOf(far);
    const isInto = (hasFrom && hasTo) || near === far;
    const arriving = isInto
      ? 1 / Math.max(1, cardinality.nodes(farLabels))
      : cardinality.leadingTo(farLabels, relationship.types, direction);
    const rows = state.rows * each * Math.max(LEAST_SHARE, arriving) * this.#share(state.known, known);
    return { known, cost: state.cost + state.rows * (1 + each), rows, before: state, step };
  }

  /** To a node that several known ones lead to: the shortest of their lists is gone through. */
  *#intersected(state: State, node: Variable, bit: number): Generator<State> {
    const left = this.#relationships.filter((_each, index) => (state.known & this.#relationshipBit(index)) === 0);
    const isKnown = (each: Variable): boolean => (this.#nodeBit(each) & ~state.known) === 0;
    const legs = legsTo(node, left, isKnown, this.#context.mode);
    if (legs.length === 0) {
      return;
    }
    const { cardinality } = this.#context;
    const labels = this.#labelsOf(node);
    const all = Math.max(1, cardinality.nodes(labels));
    let known = state.known | bit;
    let rows = state.rows * all;
    let looks = Number.POSITIVE_INFINITY;
    for (const { pattern, from, types, direction } of legs) {
      const degree = cardinality.degree(this.#labelsOf(from), types, direction);
      const arriving = degree * cardinality.leadingTo(labels, types, direction);
      known |= this.#relationshipBit(this.#relationships.indexOf(pattern));
      rows *= Math.max(LEAST_SHARE, arriving / all);
      looks = Math.min(looks, degree);
    }
    rows *= this.#share(state.known, known);
    const step: SearchStep = { kind: "intersect", node };
    // Even where nothing is expected to be found, marks have to be made.
    const cost = state.cost + 1 + state.rows * (legs.length + looks);
    yield { known, cost, rows, before: state, step };
  }

  /** Into the graph at another node: worth a thought beside relationships only where it looks at few nodes. */
  *#started(state: State, node: Variable, bit: number, hasRelationship: boolean): Generator<State> {
    const knownVariables = new Set(this.#outer);
    this.#nodes.forEach((each, index) => {
      if ((state.known & (1 << index)) !== 0) {
        knownVariables.add(each);
      }
    });
    const start = startAt(
      node,
      this.#predicates,
      knownVariables,
      this.#relationships,
      this.#clause.hints,
      this.#context,
    );
    if (hasRelationship && start.looks > FEW_NODES && !(isSeek(start) && start.looks <= FEW_FOUND)) {
      return;
    }
    const known = state.known | bit;
    const all = this.#context.cardinality.nodes(this.#labelsOf(node));
    const rows = state.rows * all * this.#share(state.known, known);
    // What does not depend on the rows so far is looked at once and joined by its key; a seek is made per row.
    const perRow = state.rows * (start.looks + 1);
    const once = start.looks + rows;
    const looks = start.cost < 0 ? 0 : state.known === 0 ? start.looks : Math.min(perRow, once);
    const step: SearchStep = { kind: "start", node };
    yield {
      known,
      cost: state.cost + looks + Math.min(rows, start.looks * state.rows) / 1000,
      rows,
      before: state,
      step,
    };
  }

  /** What predicates are expected to leave that can be judged with `known` and could not before. */
  #share(before: number, known: number): number {
    return this.#shares.reduce((product, share, index) => {
      const needs = this.#needs[index] as number;
      const isLabel = this.#predicates[index]?.kind === "HasLabels";
      const isNew = (needs & ~known) === 0 && (needs & ~before) !== 0;
      return isNew && !isLabel ? product * share : product;
    }, 1);
  }

  #partsOf(predicate: BoundExpression): number {
    let parts = 0;
    for (const variable of freeVariables(predicate)) {
      parts |= this.#nodeBit(variable);
      this.#relationships.forEach((relationship, index) => {
        parts |= relationship.variable === variable ? this.#relationshipBit(index) : 0;
      });
    }
    return parts;
  }

  /** 0 of a node that is known from outside. */
  #nodeBit(node: Variable): number {
    const index = this.#nodes.indexOf(node);
    return index < 0 ? 0 : 1 << index;
  }

  #relationshipBit(index: number): number {
    return 1 << (this.#nodes.length + index);
  }

  #labelsOf(node: Variable): readonly string[] {
    return labelsAskedOf(node, this.#predicates);
  }
}

/** What looks at no more nodes is a second way into a pattern, to meet the first in the middle. */
const FEW_NODES = 20;
/** The same of an index or of ids. */
const FEW_FOUND = 1000;

function isSeek(start: StartChoice): boolean {
  const { kind } = start.operator({ kind: "Argument" });
  return kind === "NodeIndexSeek" || kind === "EntityByIdSeek";
}

function stepsOf(last: State): readonly SearchStep[] {
  const steps: SearchStep[] = [];
  for (let state: State | undefined = last; state?.step !== undefined; state = state.before) {
    steps.unshift(state.step);
  }
  return steps;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) {
    count += 1;
  }
  return count;
}
