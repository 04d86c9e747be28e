import { type BoundExpression } from "../binder/bound-expression.ts";
import { type CreatePattern } from "../binder/bound-query.ts";
import { expressionsOfSetItem, freeVariables } from "../binder/free-variables.ts";
import { type Variable } from "../binder/variable.ts";
import { type IndexLookup, type Operator } from "./operator.ts";

/** The plans right below: the source first, then inner plans. */
export function inputsOf(operator: Operator): readonly Operator[] {
  switch (operator.kind) {
    case "Argument":
      return [];
    case "Union":
      return operator.parts.map((part) => part.plan);
    case "Join":
    case "Optional":
    case "Apply":
    case "Merge":
    case "Foreach":
      return [operator.source, operator.inner];
    default:
      return [operator.source];
  }
}

/** `operator` with each plan below it replaced by what `change` makes of it. */
export function mapInputs(operator: Operator, change: (input: Operator) => Operator): Operator {
  switch (operator.kind) {
    case "Argument":
      return operator;
    case "Union":
      return { ...operator, parts: operator.parts.map((part) => ({ ...part, plan: change(part.plan) })) };
    case "Join":
    case "Optional":
    case "Apply":
    case "Merge":
    case "Foreach":
      return { ...operator, source: change(operator.source), inner: change(operator.inner) };
    default:
      return { ...operator, source: change(operator.source) };
  }
}

/** Whether `test` holds for the operator or anything below it. */
export function someOperator(operator: Operator, test: (each: Operator) => boolean): boolean {
  return test(operator) || inputsOf(operator).some((input) => someOperator(input, test));
}

/** The expressions an operator evaluates itself. */
export function expressionsOf(operator: Operator): readonly BoundExpression[] {
  switch (operator.kind) {
    case "EntityByIdSeek":
      return [operator.ids];
    case "NodeIndexSeek":
      return expressionsOfLookup(operator.lookup);
    case "VariableLengthExpand":
      return operator.elements.map((element) => element.where);
    case "ShortestPath":
      return [...operator.elements.map((element) => element.where), ...operator.predicates];
    case "Filter":
    case "CountExpand":
      return operator.predicates;
    case "Join":
      return operator.keys.map((key) => key.outer);
    case "Projection":
      return operator.items.map((item) => item.expression);
    case "Aggregation":
      return [...operator.keys, ...operator.aggregates].map((item) => item.expression);
    case "Sort":
      return operator.keys.map((key) => key.expression);
    case "Top":
      return [...operator.keys.map((key) => key.expression), ...operator.counts];
    case "Skip":
    case "Limit":
      return [operator.count];
    case "Unwind":
    case "Foreach":
      return [operator.list];
    case "Create":
      return expressionsOfCreate(operator.pattern);
    case "Merge":
      return [
        ...expressionsOfCreate(operator.create),
        ...[...operator.onCreate, ...operator.onMatch].flatMap(expressionsOfSetItem),
      ];
    case "SetProperties":
      return operator.items.flatMap(expressionsOfSetItem);
    case "Delete":
      return operator.expressions;
    case "ProcedureCall":
      return operator.arguments;
    case "LoadCsv":
      return [operator.url];
    default:
      return [];
  }
}

function expressionsOfLookup(lookup: IndexLookup): readonly BoundExpression[] {
  switch (lookup.kind) {
    case "values":
      return lookup.values;
    case "any":
      return [lookup.list];
    case "range":
      return [lookup.low, lookup.high].filter((end) => end !== undefined);
    case "prefix":
      return [lookup.prefix];
    case "exists":
      return [];
  }
}

function expressionsOfCreate(pattern: CreatePattern): readonly BoundExpression[] {
  const properties = [...pattern.nodes, ...pattern.relationships].flatMap((each) => each.properties ?? []);
  return [...pattern.casts.map((cast) => cast.expression), ...properties];
}

/** The variables an operator reads itself. */
export function variablesReadBy(operator: Operator): ReadonlySet<Variable> {
  const read = new Set<Variable>();
  for (const expression of expressionsOf(operator)) {
    freeVariables(expression).forEach((variable) => read.add(variable));
  }
  if (operator.kind === "VariableLengthExpand" || operator.kind === "ShortestPath") {
    // Bound by the search itself, relationship by relationship.
    operator.elements.forEach(({ variable }) => read.delete(variable));
  }
  switch (operator.kind) {
    case "CountExpand":
      // What the expand finds is known to itself alone.
      read.delete(operator.relationship);
      read.delete(operator.to);
      read.add(operator.from);
      operator.meetings.forEach(({ relationship, node }) => read.add(relationship).add(node));
      break;
    case "Aggregation":
      if (operator.weight !== undefined) {
        read.add(operator.weight);
      }
      break;
    case "Expand":
    case "VariableLengthExpand":
      read.add(operator.from);
      if (operator.into) {
        read.add(operator.to);
      }
      break;
    case "ExpandIntersect":
      operator.legs.forEach((leg) => read.add(leg.from));
      break;
    case "ShortestPath":
      read.delete(operator.path);
      read.delete(operator.relationships);
      read.add(operator.from).add(operator.to);
      break;
    case "ProjectEndpoints":
      read.add(operator.relationship);
      if (operator.fromKnown) {
        read.add(operator.from);
      }
      if (operator.toKnown) {
        read.add(operator.to);
      }
      break;
    case "Distinct":
    case "ProduceResults":
      operator.columns.forEach((column) => read.add(column));
      break;
    case "Create":
      addEnds(operator.pattern, read);
      break;
    case "Merge":
      addEnds(operator.create, read);
      operator.introduces.forEach((variable) => read.add(variable));
      break;
    default:
      break;
  }
  return read;
}

function addEnds(pattern: CreatePattern, read: Set<Variable>): void {
  pattern.relationships.forEach((each) => read.add(each.start).add(each.end));
  pattern.paths.forEach((path) => freeVariables(path.expression).forEach((variable) => read.add(variable)));
}

/** The variables an operator gives a value itself. */
export function variablesSetBy(operator: Operator): readonly Variable[] {
  switch (operator.kind) {
    case "AllNodesScan":
    case "NodeByLabelScan":
    case "NodeIndexSeek":
      return [operator.node];
    case "EntityByIdSeek":
      return [operator.variable];
    case "AllRelationshipsScan":
      return [operator.relationship];
    case "Expand":
      return operator.into ? [operator.relationship] : [operator.relationship, operator.to];
    case "ExpandIntersect":
      return [...operator.legs.map((leg) => leg.relationship), operator.to];
    case "CountExpand":
      return [operator.count];
    case "VariableLengthExpand":
      return operator.into ? [operator.relationships] : [operator.relationships, operator.to];
    case "ProjectEndpoints":
      return [...(operator.fromKnown ? [] : [operator.from]), ...(operator.toKnown ? [] : [operator.to])];
    case "ShortestPath":
      return [operator.path, operator.relationships];
    case "Projection":
      return operator.items.map((item) => item.variable);
    case "Aggregation":
      return [...operator.keys, ...operator.aggregates].map((item) => item.variable);
    case "Unwind":
    case "LoadCsv":
      return [operator.variable];
    case "Union":
    case "Apply":
      return operator.columns;
    case "Join":
    case "Optional":
      return operator.introduces;
    case "Create":
      return createdVariables(operator.pattern);
    case "Merge":
      return [...operator.introduces, ...createdVariables(operator.create)];
    case "ProcedureCall":
      return operator.yields.map((item) => item.variable);
    default:
      return [];
  }
}

function createdVariables(pattern: CreatePattern): readonly Variable[] {
  return [...pattern.casts, ...pattern.nodes, ...pattern.relationships, ...pattern.paths].map((each) => each.variable);
}
