import { type BoundExpression, type BoundLabels } from "./bound-expression.ts";
import { type Variable } from "./variable.ts";

/** The expressions right below `expression`, in evaluation order; those inside subqueries are not among them. */
export function childrenOf(expression: BoundExpression): readonly BoundExpression[] {
  switch (expression.kind) {
    case "Literal":
    case "Parameter":
    case "VariableReference":
    case "PathOf":
    case "DistinctRelationships":
    case "Subquery":
      return [];
    case "Property":
      return [expression.subject];
    case "List":
      return expression.items;
    case "Map":
      return expression.entries.map((entry) => entry.value);
    case "Unary":
    case "IsNull":
    case "AsEntity":
    case "TypePredicate":
    case "Normalized":
      return [expression.operand];
    case "Binary":
      return [expression.left, expression.right];
    case "HasLabels":
      return [expression.subject, ...labelExpressions(expression.labels)];
    case "Subscript":
      return [expression.subject, expression.index];
    case "Slice":
      return defined([expression.subject, expression.from, expression.to]);
    case "Call":
    case "Aggregate":
      return expression.arguments;
    case "Case":
      return defined([
        expression.subject,
        ...expression.alternatives.flatMap((alternative) => [alternative.when, alternative.result]),
        expression.otherwise,
      ]);
    case "ListComprehension":
      return defined([expression.list, expression.where, expression.projection]);
    case "Quantified":
      return [expression.list, expression.where];
    case "Reduce":
      return [expression.initial, expression.list, expression.expression];
    case "MapProjection":
      return [expression.subject, ...expression.items.flatMap((item) => (item.kind === "Entry" ? [item.value] : []))];
  }
}

/** `expression` with each child replaced by what `change` makes of it. */
export function mapChildren(
  expression: BoundExpression,
  change: (child: BoundExpression) => BoundExpression,
): BoundExpression {
  const optional = (child: BoundExpression | undefined): BoundExpression | undefined =>
    child === undefined ? undefined : change(child);
  switch (expression.kind) {
    case "Literal":
    case "Parameter":
    case "VariableReference":
    case "PathOf":
    case "DistinctRelationships":
    case "Subquery":
      return expression;
    case "Property":
      return { ...expression, subject: change(expression.subject) };
    case "List":
      return { ...expression, items: expression.items.map(change) };
    case "Map":
      return { ...expression, entries: expression.entries.map(({ key, value }) => ({ key, value: change(value) })) };
    case "Unary":
    case "IsNull":
    case "AsEntity":
    case "TypePredicate":
    case "Normalized":
      return { ...expression, operand: change(expression.operand) };
    case "Binary":
      return { ...expression, left: change(expression.left), right: change(expression.right) };
    case "HasLabels":
      return { ...expression, subject: change(expression.subject) };
    case "Subscript":
      return { ...expression, subject: change(expression.subject), index: change(expression.index) };
    case "Slice":
      return {
        ...expression,
        subject: change(expression.subject),
        from: optional(expression.from),
        to: optional(expression.to),
      };
    case "Call":
      return { ...expression, arguments: expression.arguments.map(change) };
    case "Aggregate":
      return { ...expression, arguments: expression.arguments.map(change) };
    case "Case":
      return {
        ...expression,
        subject: optional(expression.subject),
        alternatives: expression.alternatives.map(({ when, result }) => ({
          when: change(when),
          result: change(result),
        })),
        otherwise: change(expression.otherwise),
      };
    case "ListComprehension":
      return {
        ...expression,
        list: change(expression.list),
        where: optional(expression.where),
        projection: optional(expression.projection),
      };
    case "Quantified":
      return { ...expression, list: change(expression.list), where: change(expression.where) };
    case "Reduce":
      return {
        ...expression,
        initial: change(expression.initial),
        list: change(expression.list),
        expression: change(expression.expression),
      };
    case "MapProjection":
      return {
        ...expression,
        subject: change(expression.subject),
        items: expression.items.map((item) => (item.kind === "Entry" ? { ...item, value: change(item.value) } : item)),
      };
  }
}

/** Whether `test` holds for the expression or anything below it. */
export function someExpression(expression: BoundExpression, test: (each: BoundExpression) => boolean): boolean {
  return test(expression) || childrenOf(expression).some((child) => someExpression(child, test));
}

/**
 * A text that is the same for expressions that mean the same: how grouping keys are recognised inside other
 * expressions.
 */
export function expressionKey(expression: BoundExpression): string {
  return JSON.stringify(expression, (_name, value: unknown) => {
    if (typeof value === "bigint") {
      return `${value}n`;
    }
    if (isVariable(value)) {
      return variableNumber(value);
    }
    return value instanceof Map ? [...value] : value;
  });
}

const variableNumbers = new WeakMap<object, number>();
let nextVariableNumber = 1;

function variableNumber(variable: object): number {
  let number = variableNumbers.get(variable);
  if (number === undefined) {
    number = nextVariableNumber++;
    variableNumbers.set(variable, number);
  }
  return number;
}

function isVariable(value: unknown): value is Variable {
  return typeof value === "object" && value !== null && "isEntity" in value && "nullable" in value;
}

function labelExpressions(labels: BoundLabels): readonly BoundExpression[] {
  switch (labels.kind) {
    case "Name":
    case "Any":
      return [];
    case "Not":
      return labelExpressions(labels.operand);
    case "And":
    case "Or":
      return labels.operands.flatMap(labelExpressions);
    case "Dynamic":
      return [labels.expression];
  }
}

function defined(expressions: readonly (BoundExpression | undefined)[]): readonly BoundExpression[] {
  return expressions.filter((each) => each !== undefined);
}

/** The top-level conjuncts of a predicate. */
export function conjunctsOf(predicate: BoundExpression): readonly BoundExpression[] {
  return predicate.kind === "Binary" && predicate.operator === "AND"
    ? [...conjunctsOf(predicate.left), ...conjunctsOf(predicate.right)]
    : [predicate];
}
