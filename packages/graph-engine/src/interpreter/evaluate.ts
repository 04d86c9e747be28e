import { bodyOf } from "../logical-plan/function-body.ts";
import {
  type BoundBinary,
  type BoundCase,
  type BoundExpression,
  type BoundLabels,
} from "../binder/bound-expression.ts";
import { type Variable } from "../binder/variable.ts";
import { propertiesOf } from "../functions/graph-functions.ts";
import { contains, endsWith, matchesPattern, startsWith } from "../functions/string-operators.ts";
import { concatenate } from "../runtime/concatenation.ts";
import { isNormalized, isOfType } from "../runtime/type-predicate.ts";
import { add } from "../values/addition.ts";
import { divide, modulo, multiply, negate, power, subtract, unaryPlus } from "../values/arithmetic.ts";
import { greaterThan, greaterThanOrEqual, lessThan, lessThanOrEqual } from "../values/comparison.ts";
import { propertyOf, slice, subscript } from "../values/element-access.ts";
import { equals, isIn, notEquals } from "../values/equality.ts";
import { and, not, or, truthOf, xor } from "../values/logic.ts";
import { typeError } from "../values/query-errors.ts";
import { describeType } from "../values/type-of.ts";
import { NodeValue, PathValue, RelationshipValue, type Ternary, type Value } from "../values/value.ts";
import { isList } from "../values/value-kind.ts";
import { type InterpreterContext, NotInterpretedError } from "./interpreter-context.ts";
import { type Row, valueOf, withValue } from "./row.ts";

/**
 * The value of an expression, straight from its bound form: the oracle that generated code is held against. Slow, and
 * as plain as it can be.
 *
 * @throws QueryError as the compiled expression does
 */
export function evaluate(expression: BoundExpression, row: Row, context: InterpreterContext): Value {
  const { mode, functions } = context;
  const inner = (part: BoundExpression): Value => evaluate(part, row, context);
  switch (expression.kind) {
    case "Literal":
      return expression.value;
    case "Parameter":
      return context.parameters.get(expression.name) ?? null;
    case "VariableReference":
      return valueOf(row, expression.variable);
    case "Property":
      return propertyOf(inner(expression.subject), expression.key, functions, mode);
    case "List":
      return expression.items.map(inner);
    case "Map":
      return new Map(expression.entries.map(({ key, value }) => [key, inner(value)]));
    case "Unary":
      return UNARY[expression.operator](inner(expression.operand), mode);
    case "Binary":
      return evaluateBinary(expression, row, context);
    case "IsNull":
      return (inner(expression.operand) === null) !== expression.negated;
    case "HasLabels":
      return hasLabels(inner(expression.subject), expression.labels, context);
    case "Subscript":
      return subscript(inner(expression.subject), inner(expression.index), functions, mode);
    case "Slice":
      return slice(inner(expression.subject), bound(expression.from, inner), bound(expression.to, inner), mode);
    case "Call":
      return bodyOf(expression, context.mode)(functions, ...expression.arguments.map(inner));
    case "Case":
      return evaluateCase(expression, row, context);
    case "ListComprehension": {
      const { variable, where, projection } = expression;
      return mapElements(inner(expression.list), context, variable, row, (elements) =>
        elements
          .filter((each) => where === undefined || holds(where, each, context))
          .map((each) => (projection === undefined ? valueOf(each, variable) : evaluate(projection, each, context))),
      );
    }
    case "Quantified":
      return mapElements(inner(expression.list), context, expression.variable, row, (elements) =>
        quantify(
          expression.quantifier,
          elements.map((each) => truthOf(evaluate(expression.where, each, context), mode)),
        ),
      );
    case "Reduce":
      return mapElements(inner(expression.list), context, expression.variable, row, (elements) =>
        elements.reduce(
          (total, each) => evaluate(expression.expression, withValue(each, expression.accumulator, total), context),
          inner(expression.initial),
        ),
      );
    case "MapProjection": {
      const subject = inner(expression.subject);
      return subject === null
        ? null
        : new Map(
            expression.items.flatMap((item): [string, Value][] =>
              item.kind === "AllProperties"
                ? [...propertiesOf(subject, "{.*}", functions)]
                : [[item.key, inner(item.value)]],
            ),
          );
    }
    case "Subquery": {
      const rows = context.interpretQuery(expression.query, row, context);
      const [column] = expression.query.columns;
      return expression.form === "exists"
        ? rows.length > 0
        : expression.form === "count"
          ? rows.length
          : rows.map((each) => (column === undefined ? null : valueOf(each, column)));
    }
    case "PathOf":
      return pathOf(
        expression.steps.map((step) => valueOf(row, step)),
        context,
      );
    case "AsEntity":
      return asEntity(inner(expression.operand), expression.entity);
    case "DistinctRelationships":
      return !relationshipIds(valueOf(row, expression.left)).some((id) =>
        relationshipIds(valueOf(row, expression.right)).includes(id),
      );
    case "TypePredicate":
      return isOfType(inner(expression.operand), expression.test) !== expression.negated;
    case "Normalized": {
      const normalized = isNormalized(inner(expression.operand), expression.form);
      return expression.negated ? not(normalized, mode) : normalized;
    }
    case "Aggregate":
      throw new NotInterpretedError(expression.kind);
  }
}

/** Whether a predicate is true: null is not. */
export function holds(predicate: BoundExpression, row: Row, context: InterpreterContext): boolean {
  return truthOf(evaluate(predicate, row, context), context.mode) === true;
}

/** The ids of a relationship or a list of them; none of null. */
export function relationshipIds(value: Value): readonly number[] {
  if (isList(value)) {
    return value.flatMap((element) => relationshipIds(element));
  }
  return value instanceof RelationshipValue ? [value.id] : [];
}

const UNARY = { NOT: not, "-": negate, "+": unaryPlus } as const;

function evaluateBinary({ operator, left, right }: BoundBinary, row: Row, context: InterpreterContext): Value {
  const { mode, functions } = context;
  const a = evaluate(left, row, context);
  // What AND and OR don't need is not looked at, so that it cannot fail.
  if ((operator === "AND" && a === false) || (operator === "OR" && a === true)) {
    return a;
  }
  const b = evaluate(right, row, context);
  switch (operator) {
    case "AND":
      return and(a, b, mode);
    case "OR":
      return or(a, b, mode);
    case "XOR":
      return xor(a, b, mode);
    case "=":
      return equals(a, b, mode, functions);
    case "<>":
      return notEquals(a, b, mode, functions);
    case "<":
      return lessThan(a, b, mode, functions);
    case ">":
      return greaterThan(a, b, mode, functions);
    case "<=":
      return lessThanOrEqual(a, b, mode, functions);
    case ">=":
      return greaterThanOrEqual(a, b, mode, functions);
    case "+":
      return add(a, b, mode);
    case "-":
      return subtract(a, b, mode);
    case "||":
      return concatenate(a, b);
    case "*":
      return multiply(a, b, mode);
    case "/":
      return divide(a, b, mode);
    case "%":
      return modulo(a, b, mode);
    case "^":
      return power(a, b, mode);
    case "=~":
      return matchesPattern(a, b, functions);
    case "IN":
      return isIn(a, b, mode, functions);
    case "STARTS WITH":
      return startsWith(a, b, functions);
    case "ENDS WITH":
      return endsWith(a, b, functions);
    case "CONTAINS":
      return contains(a, b, functions);
  }
}

function evaluateCase({ subject, alternatives, otherwise }: BoundCase, row: Row, context: InterpreterContext): Value {
  const { mode, functions } = context;
  const value = subject === undefined ? undefined : evaluate(subject, row, context);
  for (const { when, result } of alternatives) {
    const matches =
      value === undefined
        ? holds(when, row, context)
        : isCase(value, evaluate(when, row, context), (a, b) => equals(a, b, mode, functions), mode === "2.3");
    if (matches) {
      return evaluate(result, row, context);
    }
  }
  return evaluate(otherwise, row, context);
}

/** A null matches a null in 2.3, and nothing later. */
function isCase(value: Value, when: Value, isEqual: (a: Value, b: Value) => Ternary, nullsMatch: boolean): boolean {
  return value === null && nullsMatch ? when === null : isEqual(value, when) === true;
}

function bound(part: BoundExpression | undefined, inner: (part: BoundExpression) => Value): Value | undefined {
  return part === undefined ? undefined : inner(part);
}

/** Rows with the variable bound to each element; null for null. 2.3 takes a single value for a list of itself. */
function mapElements(
  list: Value,
  { mode }: InterpreterContext,
  variable: Variable,
  row: Row,
  use: (rows: readonly Row[]) => Value,
): Value {
  if (list === null) {
    return null;
  }
  if (!isList(list) && mode === "modern") {
    throw typeError(`Type mismatch: expected a list but was ${describeType(list)}`);
  }
  return use((isList(list) ? list : [list]).map((element) => withValue(row, variable, element)));
}

function quantify(quantifier: "all" | "any" | "none" | "single", truths: readonly Ternary[]): Ternary {
  const hits = truths.filter((truth) => truth === true).length;
  const isOpen = truths.includes(null);
  switch (quantifier) {
    case "all":
      return truths.includes(false) ? false : isOpen ? null : true;
    case "any":
      return hits > 0 ? true : isOpen ? null : false;
    case "none":
      return hits > 0 ? false : isOpen ? null : true;
    case "single":
      return hits > 1 ? false : isOpen ? null : hits === 1;
  }
}

function hasLabels(value: Value, labels: BoundLabels, context: InterpreterContext): Ternary {
  if (value === null) {
    return null;
  }
  const names = namesOf(value, context);
  const test = (part: BoundLabels): boolean => {
    switch (part.kind) {
      case "Name":
        return names.includes(part.name);
      case "Any":
        return names.length > 0;
      case "Not":
        return !test(part.operand);
      case "And":
        return part.operands.every(test);
      case "Or":
        return part.operands.some(test);
      case "Dynamic":
        throw new NotInterpretedError("dynamic labels");
    }
  };
  return test(labels);
}

function namesOf(value: NonNullable<Value>, { functions: { view, tokens } }: InterpreterContext): readonly string[] {
  if (value instanceof NodeValue) {
    return view.labelsOf(value.id).map((label) => tokens.labels.nameOf(label));
  }
  if (value instanceof RelationshipValue) {
    return [tokens.relationshipTypes.nameOf(view.typeOf(value.id))];
  }
  throw typeError(`Type mismatch: expected a node or relationship but was ${describeType(value)}`);
}

function asEntity(value: Value, entity: "node" | "relationship"): Value {
  if (value === null || (entity === "node" ? value instanceof NodeValue : value instanceof RelationshipValue)) {
    return value;
  }
  throw typeError(`Type mismatch: expected a ${entity} but was ${describeType(value)}`);
}

/** Nodes and relationships (or lists of those) by turns; nodes between the elements of a list are found by following. */
function pathOf(steps: readonly Value[], { functions: { view } }: InterpreterContext): Value {
  if (steps.includes(null)) {
    return null;
  }
  const [start] = steps;
  const nodes = start instanceof NodeValue ? [start.id] : [];
  const relationships = steps.filter((_step, index) => index % 2 === 1).flatMap(relationshipIds);
  for (const id of relationships) {
    nodes.push(view.startOf(id) === nodes.at(-1) ? view.endOf(id) : view.startOf(id));
  }
  return new PathValue(nodes, relationships);
}
