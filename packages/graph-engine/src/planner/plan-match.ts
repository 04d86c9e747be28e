import { type BoundExpression } from "../binder/bound-expression.ts";
import { type BoundMatch, type PatternRelationship, type PatternShortestPath } from "../binder/bound-query.ts";
import { someExpression } from "../binder/expression-tree.ts";
import { freeVariables } from "../binder/free-variables.ts";
import { booleanType, pathType } from "../binder/static-type.ts";
import { Variable } from "../binder/variable.ts";
import { type Operator, type PathElementCondition, type ShortestPath } from "../logical-plan/operator.ts";
import { type PlanContext } from "./plan-context.ts";
import { legsTo, opposite, type PatternLeg } from "./intersect.ts";
import { bestOrder, type SearchStep } from "./join-order.ts";
import { keptSide } from "./kept-side.ts";
import { isVolatile } from "./volatile.ts";
import { chooseStart, startAt, type StartChoice } from "./start-choice.ts";

/**
 * MATCH: goes through the parts of the pattern in the order that is expected to look at the fewest nodes and
 * relationships, and filters as soon as everything a predicate reads is there. Patterns too large for all their orders
 * to be compared start where it is cheapest and always go on with the relationship that keeps rows fewest.
 */
export function planMatch(
  clause: BoundMatch,
  source: Operator,
  known: ReadonlySet<Variable>,
  context: PlanContext,
): Operator {
  const { casts } = clause.pattern;
  const before: Operator = casts.length === 0 ? source : { kind: "Projection", source, items: casts };
  const all = new Set([...known, ...casts.map((cast) => cast.variable)]);
  if (!clause.optional) {
    return new MatchPlanner(clause, before, all, context).plan();
  }
  const inner = new MatchPlanner(clause, { kind: "Argument" }, all, context).plan();
  return { kind: "Optional", source: before, inner, introduces: clause.introduces };
}

class MatchPlanner {
  readonly #clause: BoundMatch;
  readonly #context: PlanContext;
  readonly #known: Set<Variable>;
  readonly #outer: ReadonlySet<Variable>;
  #plan: Operator;
  #relationships: readonly PatternRelationship[];
  #shortestPaths: readonly PatternShortestPath[];
  #predicates: readonly BoundExpression[];
  readonly #traversed: PatternRelationship[] = [];

  constructor(clause: BoundMatch, source: Operator, known: ReadonlySet<Variable>, context: PlanContext) {
    this.#clause = clause;
    this.#context = context;
    this.#known = new Set(known);
    this.#outer = known;
    this.#plan = source;
    this.#relationships = clause.pattern.relationships;
    this.#shortestPaths = clause.pattern.shortestPaths;
    this.#predicates = clause.predicates;
  }

  plan(): Operator {
    this.#requireOuterEntities();
    this.#filter();
    const order = bestOrder(this.#clause, this.#predicates, this.#outer, this.#context);
    for (const step of order ?? []) {
      this.#go(step);
    }
    for (;;) {
      const next = this.#nextRelationship();
      if (next !== undefined) {
        this.#traverseOrIntersect(next);
      } else if (!this.#start()) {
        break;
      }
      this.#settle();
    }
    this.#settle();
    return this.#plan;
  }

  #go(step: SearchStep): void {
    if (step.kind === "traverse") {
      this.#traverse(step.relationship);
    } else if (step.kind === "intersect") {
      this.#intersect(step.node);
    } else {
      const { hints } = this.#clause;
      this.#enter(startAt(step.node, this.#predicates, this.#known, this.#relationships, hints, this.#context));
    }
    this.#settle();
  }

  /** Shortest paths, named paths and filters, as soon as they can be. */
  #settle(): void {
    this.#filter();
    this.#addShortestPaths();
    this.#addPaths();
    this.#filter();
  }

  /** A pattern never matches a null that came from outside, except, in 2.3, a node that is all there is of it. */
  #requireOuterEntities(): void {
    const { nodes, shortestPaths } = this.#clause.pattern;
    const relationships = this.#relationships.filter((each) => each.bound).map((each) => each.variable);
    const ends = new Set(
      [...this.#relationships, ...shortestPaths.map((each) => each.relationship)].flatMap(({ from, to }) => [from, to]),
    );
    const required = this.#context.mode === "2.3" ? nodes.filter((node) => ends.has(node)) : nodes;
    const nullable = [...required, ...relationships].filter(
      (variable) => this.#outer.has(variable) && variable.nullable,
    );
    if (nullable.length > 0) {
      const predicates = nullable.map((variable): BoundExpression => ({
        kind: "IsNull",
        type: booleanType,
        operand: { kind: "VariableReference", type: variable.type, variable },
        negated: true,
      }));
      this.#plan = { kind: "Filter", source: this.#plan, predicates };
    }
  }

  #filter(): void {
    const ready = this.#predicates.filter((predicate) => this.#isReady(predicate));
    if (ready.length === 0) {
      return;
    }
    this.#predicates = this.#predicates.filter((predicate) => !ready.includes(predicate));
    // Subqueries last: they cost more than anything else.
    const isCostly = (predicate: BoundExpression): boolean => someExpression(predicate, isSearch);
    const ordered = this.#context.mode === "2.3" ? upperEndsFirst(ready) : ready;
    const predicates = [...ordered.filter((each) => !isCostly(each)), ...ordered.filter(isCostly)];
    this.#plan = { kind: "Filter", source: this.#plan, predicates };
  }

  #isReady(predicate: BoundExpression): boolean {
    const mine = this.#clause.introduces;
    const read = isVolatile(predicate) ? mine : [...freeVariables(predicate)];
    return read.every((variable) => this.#known.has(variable) || !mine.includes(variable));
  }

  // ---------------------------------------------------------------------------------------------------- relationships

  /** The cheapest relationship that hangs on something known. */
  #nextRelationship(): PatternRelationship | undefined {
    let best: PatternRelationship | undefined;
    let bestCost = Number.POSITIVE_INFINITY;
    for (const relationship of this.#relationships) {
      const cost = this.#costOf(relationship);
      if (cost < bestCost) {
        best = relationship;
        bestCost = cost;
      }
    }
    return best;
  }

  /** Rows per row; infinite when no end is known. */
  #costOf(relationship: PatternRelationship): number {
    if (relationship.bound) {
      return 0;
    }
    const fromKnown = this.#known.has(relationship.from);
    const toKnown = this.#known.has(relationship.to);
    if (!fromKnown && !toKnown) {
      return Number.POSITIVE_INFINITY;
    }
    const { statistics } = this.#context;
    const degree = (statistics.relationships(relationship.types) + 1) / (statistics.nodeCount() + 1);
    const steps = relationship.length === undefined ? 1 : Math.min(relationship.length.maximum ?? 6, 6);
    const rows = Math.max(degree, 0.01) ** (degree > 1 ? steps : 1) * (relationship.length === undefined ? 1 : 10);
    return fromKnown && toKnown ? Math.min(rows, 1) / 2 : rows;
  }

  #traverse(relationship: PatternRelationship): void {
    this.#plan = this.#operatorFor(relationship);
    this.#noteTraversed(relationship);
  }

  #noteTraversed(relationship: PatternRelationship): void {
    this.#relationships = this.#relationships.filter((each) => each !== relationship);
    this.#known.add(relationship.variable).add(relationship.from).add(relationship.to);
    this.#keepDistinct(relationship);
    this.#traversed.push(relationship);
  }

  /** In patterns too large to be weighed, what closes at a node is always intersected. */
  #traverseOrIntersect(relationship: PatternRelationship): void {
    const { from, to } = relationship;
    const far = this.#known.has(from) ? to : from;
    const isClosing = this.#legsTo(far).some((leg) => leg.pattern === relationship);
    if (isClosing && !this.#known.has(far)) {
      this.#intersect(far);
    } else {
      this.#traverse(relationship);
    }
  }

  #legsTo(node: Variable): readonly PatternLeg[] {
    return legsTo(node, this.#relationships, (each) => this.#known.has(each), this.#context.mode);
  }

  #intersect(node: Variable): void {
    const legs = this.#legsTo(node);
    this.#plan = { kind: "ExpandIntersect", source: this.#plan, to: node, legs };
    legs.forEach(({ pattern }) => this.#noteTraversed(pattern));
  }

  #operatorFor(relationship: PatternRelationship): Operator {
    const { variable, from, to, types, length, bound } = relationship;
    const fromKnown = this.#known.has(from);
    const toKnown = this.#known.has(to);
    const source = this.#plan;
    if (bound) {
      const { direction } = relationship;
      return {
        kind: "ProjectEndpoints",
        source,
        relationship: variable,
        from,
        to,
        fromKnown,
        toKnown,
        direction,
        types,
        length,
      };
    }
    const backwards = !fromKnown;
    const ends = backwards ? { from: to, to: from } : { from, to };
    const direction = backwards ? opposite(relationship.direction) : relationship.direction;
    const into = (fromKnown && toKnown) || from === to;
    if (length === undefined) {
      return { kind: "Expand", source, ...ends, relationship: variable, direction, types, into };
    }
    const repeatable = this.#clause.repeatable;
    const elements = this.#elementConditions(variable);
    return {
      kind: "VariableLengthExpand",
      source,
      ...ends,
      relationships: variable,
      direction,
      types,
      length,
      into,
      elements,
      reversed: backwards,
      repeatable,
    };
  }

  /** The conditions on each relationship of a walk that can be judged as it goes. */
  #elementConditions(relationships: Variable): readonly PathElementCondition[] {
    const mine = this.#clause.introduces.filter((each) => each !== relationships);
    const elements: PathElementCondition[] = [];
    this.#predicates = this.#predicates.filter((predicate) => {
      const isKnown = [...freeVariables(predicate)].every((each) => this.#known.has(each) || !mine.includes(each));
      const element = isKnown && !isVolatile(predicate) ? elementCondition(predicate, relationships) : undefined;
      if (element === undefined) {
        return true;
      }
      elements.push(element);
      return false;
    });
    return elements;
  }

  /** Within one MATCH no relationship is met twice. */
  #keepDistinct(relationship: PatternRelationship): void {
    if (this.#clause.repeatable) {
      return;
    }
    const predicates = this.#traversed
      .filter((other) => canMeet(relationship, other))
      .map((other): BoundExpression => ({
        kind: "DistinctRelationships",
        type: booleanType,
        left: relationship.variable,
        right: other.variable,
      }));
    if (predicates.length > 0) {
      this.#plan = { kind: "Filter", source: this.#plan, predicates };
    }
  }

  // ------------------------------------------------------------------------------------------------------------ nodes

  /** Enters the graph at the cheapest node that is not known yet; false when all are. */
  #start(): boolean {
    const unknown = this.#clause.pattern.nodes.filter((node) => !this.#known.has(node));
    const start = chooseStart(
      unknown,
      this.#predicates,
      this.#known,
      this.#relationships,
      this.#clause.hints,
      this.#context,
    );
    if (start === undefined) {
      return false;
    }
    this.#enter(start);
    return true;
  }

  #enter(start: StartChoice): void {
    const kept = keptSide(start, this.#predicates, this.#known, this.#plan, this.#context);
    const { settles } = kept ?? start;
    this.#plan = kept?.join ?? start.operator(this.#plan);
    this.#known.add(start.node);
    this.#predicates = this.#predicates.filter((predicate) => !settles.includes(predicate));
  }

  // ------------------------------------------------------------------------------------------------------------ paths

  #addPaths(): void {
    const ready = this.#clause.pattern.computed.filter(
      ({ variable, expression }) =>
        !this.#known.has(variable) && [...freeVariables(expression)].every((each) => this.#known.has(each)),
    );
    if (ready.length > 0) {
      this.#plan = { kind: "Projection", source: this.#plan, items: ready };
      ready.forEach(({ variable }) => this.#known.add(variable));
    }
  }

  #addShortestPaths(): void {
    for (const shortest of this.#shortestPaths) {
      const { relationship } = shortest;
      if (!this.#known.has(relationship.from) || !this.#known.has(relationship.to)) {
        continue;
      }
      this.#shortestPaths = this.#shortestPaths.filter((each) => each !== shortest);
      const path = shortest.path ?? new Variable("  PATH", pathType, false);
      const { elements, predicates } = this.#conditionsOf(path, relationship.variable);
      this.#plan = {
        kind: "ShortestPath",
        source: this.#plan,
        path,
        relationships: relationship.variable,
        from: relationship.from,
        to: relationship.to,
        direction: relationship.direction,
        types: relationship.types,
        length: relationship.length,
        all: shortest.all,
        elements,
        predicates,
      };
      this.#known.add(path).add(relationship.variable);
    }
  }

  /** The conditions on a shortest path itself, which the search looks after. */
  #conditionsOf(path: Variable, relationships: Variable): Pick<ShortestPath, "elements" | "predicates"> {
    const mine = this.#clause.introduces.filter((each) => each !== path && each !== relationships);
    const conditions = this.#predicates.filter((predicate) => {
      const free = freeVariables(predicate);
      const isAbout = free.has(path) || free.has(relationships);
      return isAbout && [...free].every((variable) => this.#known.has(variable) || !mine.includes(variable));
    });
    this.#predicates = this.#predicates.filter((predicate) => !conditions.includes(predicate));
    const elements = conditions.map((condition) => elementCondition(condition, relationships, path));
    return {
      elements: elements.filter((element) => element !== undefined),
      predicates: conditions.filter((_condition, index) => elements[index] === undefined),
    };
  }
}

/** 2.3 judges the upper ends of ranges before the lower ones, which shows where comparing is an error. */
function upperEndsFirst(predicates: readonly BoundExpression[]): readonly BoundExpression[] {
  const isEnd = (each: BoundExpression, operators: readonly string[]): boolean =>
    each.kind === "Binary" && operators.includes(each.operator);
  const ends = predicates.filter((each) => isEnd(each, ["<", "<=", ">", ">="]));
  const sorted = [
    ...ends.filter((each) => isEnd(each, ["<", "<="])),
    ...ends.filter((each) => isEnd(each, [">", ">="])),
  ];
  return predicates.map((each) => (ends.includes(each) ? (sorted.shift() ?? each) : each));
}

function isSearch({ kind }: BoundExpression): boolean {
  return kind === "Subquery";
}

/** Loops take turns with others, which a test of one element can't. */
function isLong(expression: BoundExpression): boolean {
  return isSearch(expression) || ["ListComprehension", "Quantified", "Reduce"].includes(expression.kind);
}

/** A condition on all elements of a path or of its relationships, which can be judged one by one. */
function elementCondition(
  condition: BoundExpression,
  relationships: Variable,
  path?: Variable,
): PathElementCondition | undefined {
  if (condition.kind !== "Quantified" || !["all", "none"].includes(condition.quantifier)) {
    return undefined;
  }
  const { list, variable, where } = condition;
  const free = freeVariables(where);
  if ((path !== undefined && free.has(path)) || free.has(relationships) || someExpression(where, isLong)) {
    return undefined;
  }
  const entity = elementsListed(list, relationships, path);
  return entity === undefined ? undefined : { entity, variable, where, wanted: condition.quantifier === "all" };
}

function elementsListed(
  list: BoundExpression,
  relationships: Variable,
  path: Variable | undefined,
): PathElementCondition["entity"] | undefined {
  if (list.kind === "VariableReference" && list.variable === relationships) {
    return "relationship";
  }
  const [only] = list.kind === "Call" ? list.arguments : [];
  if (list.kind !== "Call" || only?.kind !== "VariableReference" || only.variable !== path) {
    return undefined;
  }
  const { name } = list.function;
  return name === "nodes" ? "node" : name === "relationships" || name === "rels" ? "relationship" : undefined;
}

/** Relationships of different types never are the same one. */
function canMeet(left: PatternRelationship, right: PatternRelationship): boolean {
  return left.types.length === 0 || right.types.length === 0 || left.types.some((type) => right.types.includes(type));
}
