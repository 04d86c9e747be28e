import { type BoundExpression } from "../binder/bound-expression.ts";
import { type BoundClause } from "../binder/bound-query.ts";
import { someExpression } from "../binder/expression-tree.ts";
import { type StaticType } from "../binder/static-type.ts";
import { type Operator } from "../logical-plan/operator.ts";
import { expressionsOf, inputsOf, someOperator, variablesSetBy } from "../logical-plan/operator-tree.ts";

/**
 * Clauses work one after the other on all rows (TCK): an update must not be seen by reads of an earlier clause that are
 * still under way, and everything after it must see all of it. Where rows flow singly, an {@link Eager} keeps them apart.
 */
export function needsEagerBefore(clause: BoundClause, plan: Operator): boolean {
  if (!isUpdate(clause) || isSingleRow(plan)) {
    return false;
  }
  return openOperators(plan).some((operator) => readsUpdatedBy(operator, clause));
}

/**
 * Whether rows of an update must all be through before those after it may see the first: when one reads the graph or
 * stops early, unless another that takes all rows stands between.
 */
export function needsEagerAfter(clause: BoundClause, plan: Operator, next: readonly BoundClause[]): boolean {
  if (!isUpdate(clause) || isSingleRow(plan)) {
    return false;
  }
  for (const each of next) {
    if (readsGraph(each)) {
      return true;
    }
    if (each.kind === "Projection") {
      if (each.aggregation !== undefined) {
        return false;
      }
      if (each.limit !== undefined || each.skip !== undefined) {
        return true;
      }
    }
  }
  return false;
}

/** 2.3 keeps nothing but deletions from what is looked for next. */
export function needsLegacyEagerAfter(clause: BoundClause, plan: Operator, next: readonly BoundClause[]): boolean {
  const looksNext = next.find((each) => each.kind === "Match" || each.kind === "Start");
  return clause.kind === "Delete" && looksNext !== undefined && !isSingleRow(plan);
}

function isUpdate(clause: BoundClause): boolean {
  return (
    ["Create", "Merge", "Set", "Delete", "Foreach"].includes(clause.kind) ||
    (clause.kind === "SubqueryCall" && clause.query.parts.some((part) => part.clauses.some(isUpdate)))
  );
}

/** Whether at most one row can come out. */
function isSingleRow(plan: Operator): boolean {
  switch (plan.kind) {
    case "Argument":
      return true;
    case "Aggregation":
      return plan.keys.length === 0;
    case "Projection":
    case "Filter":
    case "Create":
    case "SetProperties":
    case "Delete":
    case "Eager":
    case "Foreach":
    case "Distinct":
    case "Sort":
    case "Top":
    case "Skip":
    case "Limit":
      return isSingleRow(plan.source);
    default:
      return false;
  }
}

/** The operators whose rows may still be under way when the last one gives its first row. */
function openOperators(plan: Operator): readonly Operator[] {
  switch (plan.kind) {
    case "Argument":
    case "Eager":
      return [];
    case "Aggregation":
    case "Sort":
    case "Top":
      return [];
    default:
      return [plan, ...inputsOf(plan).flatMap(openOperators)];
  }
}

const relationshipReaders: ReadonlySet<Operator["kind"]> = new Set<Operator["kind"]>([
  "Expand",
  "ExpandIntersect",
  "VariableLengthExpand",
  "ShortestPath",
  "ProjectEndpoints",
  "AllRelationshipsScan",
]);
const otherReaders: ReadonlySet<Operator["kind"]> = new Set<Operator["kind"]>([
  "AllNodesScan",
  "NodeByLabelScan",
  "NodeIndexSeek",
  "EntityByIdSeek",
  "Merge",
  "Optional",
  "Apply",
  "ProcedureCall",
]);

function readsUpdatedBy(operator: Operator, clause: BoundClause): boolean {
  const onlyRelationships = clause.kind === "Create" && clause.pattern.nodes.length === 0;
  if (relationshipReaders.has(operator.kind)) {
    return true;
  }
  if (otherReaders.has(operator.kind)) {
    return !onlyRelationships || ["Merge", "Apply", "ProcedureCall", "Optional"].includes(operator.kind);
  }
  const entities = someOperator(operator, (each) => variablesSetBy(each).some((variable) => variable.isEntity));
  return entities && !onlyRelationships && expressionsOf(operator).some(looksIntoGraph);
}

function readsGraph(clause: BoundClause): boolean {
  switch (clause.kind) {
    case "Create": {
      const properties = [...clause.pattern.nodes, ...clause.pattern.relationships].flatMap(
        (each) => each.properties ?? [],
      );
      return properties.some(looksIntoGraph);
    }
    case "Unwind":
      return looksIntoGraph(clause.list);
    case "Projection": {
      // A column that is an entity is read when the row goes out.
      const { aggregation } = clause;
      const before = aggregation === undefined ? clause.items : [...aggregation.keys, ...aggregation.aggregates];
      if (aggregation === undefined || clause.final) {
        const shown = clause.items.filter(
          (item) => aggregation === undefined || item.expression.kind !== "VariableReference",
        );
        if (aggregation === undefined && shown.some((item) => canHoldEntity(item.expression.type))) {
          return true;
        }
      }
      const sorting = aggregation === undefined ? clause.orderBy.map((key) => key.expression) : [];
      return [
        ...before.map((item) => item.expression),
        ...sorting,
        ...(aggregation === undefined ? clause.predicates : []),
      ].some(looksIntoGraph);
    }
    default:
      return true;
  }
}

function canHoldEntity(type: StaticType): boolean {
  return ["any", "node", "relationship", "path", "map", "list"].includes(type.kind);
}

/** Whether an expression reads more than ids. */
function looksIntoGraph(expression: BoundExpression): boolean {
  return someExpression(expression, (each) => {
    switch (each.kind) {
      case "Property":
      case "Subscript":
        return canHoldEntity(each.kind === "Property" ? each.subject.type : each.subject.type);
      case "HasLabels":
      case "Subquery":
      case "MapProjection":
        return true;
      case "Call":
        return each.arguments.some((argument) => canHoldEntity(argument.type));
      default:
        return false;
    }
  });
}
