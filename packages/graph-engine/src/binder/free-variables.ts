import { type BoundExpression } from "./bound-expression.ts";
import {
  type Assignment,
  type BoundClause,
  type BoundMatch,
  type BoundProjection,
  type BoundQuery,
  type CreatePattern,
  type SetItem,
} from "./bound-query.ts";
import { childrenOf } from "./expression-tree.ts";
import { type Variable } from "./variable.ts";

/** The variables an expression reads and does not bind itself. */
export function freeVariables(expression: BoundExpression): ReadonlySet<Variable> {
  const known = cache.get(expression);
  if (known !== undefined) {
    return known;
  }
  const free = new Set<Variable>();
  collectFree(expression, free);
  cache.set(expression, free);
  return free;
}

const cache = new WeakMap<BoundExpression, ReadonlySet<Variable>>();

function collectFree(expression: BoundExpression, into: Set<Variable>): void {
  for (const child of childrenOf(expression)) {
    freeVariables(child).forEach((variable) => into.add(variable));
  }
  switch (expression.kind) {
    case "VariableReference":
      into.add(expression.variable);
      break;
    case "PathOf":
      expression.steps.forEach((step) => into.add(step));
      break;
    case "DistinctRelationships":
      into.add(expression.left).add(expression.right);
      break;
    case "Subquery":
      freeVariablesOfQuery(expression.query).forEach((variable) => into.add(variable));
      break;
    case "ListComprehension":
    case "Quantified":
      into.delete(expression.variable);
      freeVariables(expression.list).forEach((variable) => into.add(variable));
      break;
    case "Reduce":
      into.delete(expression.variable);
      into.delete(expression.accumulator);
      break;
    default:
      break;
  }
}

/** The outer variables that a subquery reads: those it mentions and does not introduce. */
export function freeVariablesOfQuery(query: BoundQuery): ReadonlySet<Variable> {
  const uses: Uses = { read: new Set(), introduced: new Set() };
  for (const part of query.parts) {
    part.clauses.forEach((clause) => usesOfClause(clause, uses));
    part.columns.forEach((column) => uses.read.add(column));
  }
  return new Set([...uses.read].filter((variable) => !uses.introduced.has(variable)));
}

/** What a clause reads and what it introduces; a variable may be both. */
export interface Uses {
  readonly read: Set<Variable>;
  readonly introduced: Set<Variable>;
}

export function usesOf(clause: BoundClause): Uses {
  const uses: Uses = { read: new Set(), introduced: new Set() };
  usesOfClause(clause, uses);
  return uses;
}

function usesOfClause(clause: BoundClause, uses: Uses): void {
  const read = (expression: BoundExpression | undefined): void => {
    if (expression !== undefined) {
      freeVariables(expression).forEach((variable) => uses.read.add(variable));
    }
  };
  const assign = (assignments: readonly Assignment[]): void => {
    for (const { variable, expression } of assignments) {
      read(expression);
      if (expression.kind !== "VariableReference" || expression.variable !== variable) {
        uses.introduced.add(variable);
      }
    }
  };
  switch (clause.kind) {
    case "Match":
      usesOfMatch(clause, uses, read, assign);
      break;
    case "Start":
      clause.items.forEach((item) => {
        read(item.ids);
        uses.introduced.add(item.variable);
      });
      clause.predicates.forEach(read);
      break;
    case "Unwind":
      read(clause.list);
      uses.introduced.add(clause.variable);
      break;
    case "Projection":
      usesOfProjection(clause, read, assign);
      break;
    case "Create":
      clause.unwinds.forEach(({ list, variable }) => {
        read(list);
        uses.introduced.add(variable);
      });
      usesOfCreate(clause.pattern, uses, read, assign);
      break;
    case "Merge":
      usesOfMatch(clause.match, uses, read, assign);
      usesOfCreate(clause.create, uses, read, assign);
      [...clause.onCreate, ...clause.onMatch].forEach((item) => expressionsOfSetItem(item).forEach(read));
      break;
    case "Set":
      clause.items.forEach((item) => expressionsOfSetItem(item).forEach(read));
      break;
    case "Delete":
      clause.expressions.forEach(read);
      break;
    case "Foreach":
      read(clause.list);
      uses.introduced.add(clause.variable);
      clause.clauses.forEach((inner) => usesOfClause(inner, uses));
      break;
    case "ProcedureCall":
      clause.arguments.forEach(read);
      clause.predicates.forEach(read);
      clause.yields.forEach((item) => uses.introduced.add(item.variable));
      break;
    case "SubqueryCall":
      freeVariablesOfQuery(clause.query).forEach((variable) => uses.read.add(variable));
      clause.query.columns.forEach((variable) => uses.introduced.add(variable));
      break;
    case "LoadCsv":
      read(clause.url);
      uses.introduced.add(clause.variable);
      break;
  }
}

function usesOfMatch(
  clause: BoundMatch,
  uses: Uses,
  read: (expression: BoundExpression | undefined) => void,
  assign: (assignments: readonly Assignment[]) => void,
): void {
  const { pattern } = clause;
  pattern.nodes.forEach((node) => uses.read.add(node));
  for (const relationship of [...pattern.relationships, ...pattern.shortestPaths.map((path) => path.relationship)]) {
    uses.read.add(relationship.variable).add(relationship.from).add(relationship.to);
  }
  assign(pattern.casts);
  assign(pattern.computed);
  clause.predicates.forEach(read);
  clause.introduces.forEach((variable) => uses.introduced.add(variable));
}

function usesOfProjection(
  clause: BoundProjection,
  read: (expression: BoundExpression | undefined) => void,
  assign: (assignments: readonly Assignment[]) => void,
): void {
  assign(clause.aggregation?.keys ?? []);
  assign(clause.aggregation?.aggregates ?? []);
  assign(clause.items);
  clause.orderBy.forEach((key) => read(key.expression));
  read(clause.skip);
  read(clause.limit);
  clause.predicates.forEach(read);
}

function usesOfCreate(
  pattern: CreatePattern,
  uses: Uses,
  read: (expression: BoundExpression | undefined) => void,
  assign: (assignments: readonly Assignment[]) => void,
): void {
  assign(pattern.casts);
  for (const node of pattern.nodes) {
    uses.introduced.add(node.variable);
    read(node.properties);
  }
  for (const relationship of pattern.relationships) {
    uses.read.add(relationship.start).add(relationship.end);
    uses.introduced.add(relationship.variable);
    read(relationship.properties);
  }
  assign(pattern.paths);
}

/** Everything a SET or REMOVE item evaluates. */
export function expressionsOfSetItem(item: SetItem): readonly BoundExpression[] {
  switch (item.kind) {
    case "Property":
    case "Properties":
      return [item.subject, item.value];
    case "DynamicProperty":
      return [item.subject, item.key, item.value];
    case "Labels":
    case "RemoveProperty":
      return [item.subject];
  }
}
