import { type Expression, type ListComprehension, type QuantifiedPredicate, type Reduce } from "@trefoil/cypher";
import { alreadyDeclared, bindExpression, bindPredicate, type ExpressionPlace, typeMismatch } from "./bind-context.ts";
import { type BoundExpression } from "./bound-expression.ts";
import { alternativesOf, coerces, isOpen, isSubtype, legacyElementType } from "./legacy-types.ts";
import { Scope } from "./scope.ts";
import { anyType, booleanType, listOf, mayBe, type StaticType } from "./static-type.ts";
import { Variable } from "./variable.ts";

/** `[x IN list WHERE p | e]`, `filter`, `extract`. */
export function bindListComprehension(expression: ListComprehension, place: ExpressionPlace): BoundExpression {
  const list = bindList(expression.list, place);
  const variable = new Variable(expression.variable.name, elementType(list), true);
  const inner = insidePlace(place, [variable]);
  const where = expression.where === undefined ? undefined : bindCondition(expression.where, inner);
  const projection = expression.projection === undefined ? undefined : bindExpression(expression.projection, inner);
  const type = listOf(projection === undefined ? variable.type : projection.type);
  return { kind: "ListComprehension", type, variable, list, where, projection };
}

/** `all(x IN list WHERE p)`, `any`, `none`, `single`. */
export function bindQuantified(expression: QuantifiedPredicate, place: ExpressionPlace): BoundExpression {
  const list = bindList(expression.list, place);
  const variable = new Variable(expression.variable.name, elementType(list), true);
  const where = bindCondition(expression.where, insidePlace(place, [variable]));
  return { kind: "Quantified", type: booleanType, quantifier: expression.quantifier, variable, list, where };
}

/** 2.3 finds out about a condition on elements that is no truth value when it meets the first of them. */
function bindCondition(expression: Expression, place: ExpressionPlace): BoundExpression {
  return place.context.mode === "2.3"
    ? bindExpression(expression, { ...place, predicate: true })
    : bindPredicate(expression, place);
}

/** `reduce(total = 0, x IN list | total + x)`. */
export function bindReduce(expression: Reduce, place: ExpressionPlace): BoundExpression {
  const initial = bindExpression(expression.initial, { ...place, predicate: false });
  const list = bindList(expression.list, place);
  // The accumulator's type may change from turn to turn, so nothing is known about it; 2.3 holds to the first one.
  const isLegacy = place.context.mode === "2.3";
  const { accumulator: first, variable: second } = expression;
  if (isLegacy && first.name === second.name) {
    throw alreadyDeclared(place.context, second.name, first.position);
  }
  const accumulator = new Variable(expression.accumulator.name, isLegacy ? initial.type : anyType, true);
  const variable = new Variable(expression.variable.name, elementType(list), true);
  const body = bindExpression(expression.expression, insidePlace(place, [accumulator, variable]));
  if (isLegacy) {
    checkAccumulator(initial.type, body.type, expression.expression, place);
  }
  const type = isLegacy ? narrowed(initial.type, body.type) : anyType;
  return { kind: "Reduce", type, accumulator, initial, variable, list, expression: body };
}

function checkAccumulator(initial: StaticType, body: StaticType, expression: Expression, place: ExpressionPlace): void {
  const fits =
    isOpen(initial) ||
    isOpen(body) ||
    alternativesOf(body).some((member) =>
      alternativesOf(initial).some((wanted) => isSubtype(member, wanted) || coerces(member, wanted)),
    );
  if (!fits) {
    const { context } = place;
    throw context.errors.syntax(
      `Type mismatch: accumulator is ${context.typeName(initial)} but expression has type ${context.typeName(body)}`,
      expression.position,
      "InvalidArgumentType",
    );
  }
}

/** The accumulator's type as far as the expression agrees. */
function narrowed(initial: StaticType, body: StaticType): StaticType {
  if (isOpen(initial)) {
    return anyType;
  }
  return initial.kind === "list" && isOpen(initial.element) && body.kind === "list"
    ? listOf(legacyElementType([{ type: initial.element }, { type: body.element }]))
    : initial;
}

function bindList(expression: Expression, place: ExpressionPlace): BoundExpression {
  const list = bindExpression(expression, { ...place, predicate: false });
  if (!mayBe(list.type, "list")) {
    const expected = place.context.mode === "2.3" ? "Collection<T>" : "List<T>";
    throw typeMismatch(place.context, expected, list.type, expression.position);
  }
  return list;
}

/** Elements are Values in generated code, so a list of nodes gives a variable of unknown kind here. */
function elementType(list: BoundExpression): StaticType {
  return list.type.kind === "list" ? list.type.element : anyType;
}

/** Aggregates don't belong inside: they are about rows, not elements. */
function insidePlace(place: ExpressionPlace, variables: readonly Variable[]): ExpressionPlace {
  return {
    ...place,
    scope: Scope.of(variables, place.scope),
    aggregates: place.aggregates === "nested" ? "nested" : "forbidden",
    predicate: false,
  };
}
