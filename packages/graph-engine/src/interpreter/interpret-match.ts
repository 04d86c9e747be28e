import { type BoundMatch, type PathLength, type PatternRelationship } from "../binder/bound-query.ts";
import { type Variable } from "../binder/variable.ts";
import { NodeValue, RelationshipValue, type Value } from "../values/value.ts";
import { evaluate, holds, relationshipIds } from "./evaluate.ts";
import { type InterpreterContext, NotInterpretedError } from "./interpreter-context.ts";
import { type Row, valueOf, withValue } from "./row.ts";

/** A relationship gone along in one direction. */
interface Step {
  readonly relationship: number;
  readonly from: number;
  readonly to: number;
}

/**
 * All rows a MATCH makes of one: every way to give its relationships and nodes values is tried, and the predicates
 * judged last. OPTIONAL gives one row with nulls when there is none.
 */
export function interpretMatch(match: BoundMatch, row: Row, context: InterpreterContext): readonly Row[] {
  const { pattern, predicates } = match;
  if (pattern.shortestPaths.length > 0) {
    throw new NotInterpretedError("shortestPath");
  }
  const cast = assignAll(pattern.casts, row, context);
  const found = findRelationships(match, 0, cast, context)
    .flatMap((each) => findNodes(pattern.nodes, each, context))
    .map((each) => assignAll(pattern.computed, each, context))
    .filter((each) => predicates.every((predicate) => holds(predicate, each, context)));
  return found.length === 0 && match.optional
    ? [match.introduces.reduce((nulls, variable) => withValue(nulls, variable, null), row)]
    : found;
}

function assignAll(assignments: BoundMatch["pattern"]["casts"], row: Row, context: InterpreterContext): Row {
  return assignments.reduce(
    (each, { variable, expression }) => withValue(each, variable, evaluate(expression, each, context)),
    row,
  );
}

function findRelationships(match: BoundMatch, index: number, row: Row, context: InterpreterContext): readonly Row[] {
  const relationship = match.pattern.relationships[index];
  if (relationship === undefined) {
    return [row];
  }
  const used = match.repeatable
    ? []
    : match.pattern.relationships.slice(0, index).flatMap(({ variable }) => relationshipIds(valueOf(row, variable)));
  return walksOf(relationship, row, context)
    .filter(({ steps }) => !steps.some((step) => used.includes(step.relationship)))
    .flatMap(({ from, to, steps }) => {
      const ids = steps.map((step) => new RelationshipValue(step.relationship));
      const value: Value = relationship.length === undefined ? (ids[0] ?? null) : ids;
      const bound = relationship.bound ? row : withValue(row, relationship.variable, value);
      return bindNode(bound, relationship.from, from)
        .flatMap((each) => bindNode(each, relationship.to, to))
        .flatMap((each) => findRelationships(match, index + 1, each, context));
    });
}

interface Walk {
  readonly from: number;
  readonly to: number;
  readonly steps: readonly Step[];
}

/** Every walk the relationship pattern allows, from everywhere; of a bound one only that which is bound. */
function walksOf(pattern: PatternRelationship, row: Row, context: InterpreterContext): readonly Walk[] {
  const steps = allSteps(pattern, context);
  const walks =
    pattern.length === undefined
      ? steps.map((step) => ({ from: step.from, to: step.to, steps: [step] }))
      : allNodes(context).flatMap((node) => walksFrom(node, steps, pattern.length));
  if (!pattern.bound) {
    return walks;
  }
  const bound = valueOf(row, pattern.variable);
  const ids = relationshipIds(bound);
  return bound === null
    ? []
    : walks.filter((walk) => walk.steps.map((step) => step.relationship).join() === ids.join());
}

function walksFrom(start: number, steps: readonly Step[], length: PathLength | undefined): readonly Walk[] {
  const { minimum = 1, maximum = Number.POSITIVE_INFINITY } = length ?? {};
  const extend = (walk: Walk): readonly Walk[] =>
    walk.steps.length >= maximum
      ? [walk]
      : [
          walk,
          ...steps
            .filter((step) => step.from === walk.to)
            .filter((step) => !walk.steps.some((each) => each.relationship === step.relationship))
            .flatMap((step) => extend({ from: start, to: step.to, steps: [...walk.steps, step] })),
        ];
  return extend({ from: start, to: start, steps: [] }).filter((walk) => walk.steps.length >= minimum);
}

/** All relationships of the wanted types, each along every wanted direction; a loop once. */
function allSteps({ types, direction }: PatternRelationship, context: InterpreterContext): readonly Step[] {
  const { view, tokens } = context.functions;
  const steps: Step[] = [];
  const cursor = view.allRelationships();
  for (let id = cursor.next(); id !== -1; id = cursor.next()) {
    if (types.length === 0 || types.includes(tokens.relationshipTypes.nameOf(view.typeOf(id)))) {
      const [start, end] = [view.startOf(id), view.endOf(id)];
      if (direction !== "in") {
        steps.push({ relationship: id, from: start, to: end });
      }
      if (direction === "in" || (direction === "both" && start !== end)) {
        steps.push({ relationship: id, from: end, to: start });
      }
    }
  }
  return steps;
}

function findNodes(nodes: readonly Variable[], row: Row, context: InterpreterContext): readonly Row[] {
  return nodes.reduce<readonly Row[]>(
    (rows, node) =>
      rows.flatMap((each) =>
        each.has(node)
          ? valueOf(each, node) === null
            ? []
            : [each]
          : allNodes(context).map((id) => withValue(each, node, new NodeValue(id))),
      ),
    [row],
  );
}

/** The row with the node bound, or nothing when it is bound to another one. */
function bindNode(row: Row, variable: Variable, id: number): readonly Row[] {
  const known = row.get(variable);
  if (known === undefined) {
    return [withValue(row, variable, new NodeValue(id))];
  }
  return known instanceof NodeValue && known.id === id ? [row] : [];
}

function allNodes({ functions: { view } }: InterpreterContext): readonly number[] {
  const ids: number[] = [];
  const cursor = view.allNodes();
  for (let id = cursor.next(); id !== -1; id = cursor.next()) {
    ids.push(id);
  }
  return ids;
}
