import { type BoundExpression } from "../binder/bound-expression.ts";
import { childrenOf } from "../binder/expression-tree.ts";
import { type Value } from "../values/value.ts";

/** An expression as a plan shows it: close to how it was written, never meant to be parsed again. */
export function expressionText(expression: BoundExpression): string {
  const children = (): readonly string[] => childrenOf(expression).map(expressionText);
  switch (expression.kind) {
    case "Literal":
      return literalText(expression.value);
    case "Parameter":
      return `{${expression.name}}`;
    case "VariableReference":
      return expression.variable.name.trim();
    case "Property":
      return `${expressionText(expression.subject)}.${expression.key}`;
    case "List":
      return `[${children().join(", ")}]`;
    case "Map":
      return `{${expression.entries.map((entry) => `${entry.key}: ${expressionText(entry.value)}`).join(", ")}}`;
    case "Unary":
      return `${expression.operator === "NOT" ? "NOT " : expression.operator}${expressionText(expression.operand)}`;
    case "Binary":
      return `${expressionText(expression.left)} ${expression.operator} ${expressionText(expression.right)}`;
    case "IsNull":
      return `${expressionText(expression.operand)} IS ${expression.negated ? "NOT " : ""}NULL`;
    case "HasLabels":
      return `${expressionText(expression.subject)}:${expression.labels.kind === "Name" ? expression.labels.name : "…"}`;
    case "Call":
      return `${expression.function.name}(${children().join(", ")})`;
    case "Aggregate":
      return `${expression.name}(${expression.distinct ? "DISTINCT " : ""}${expression.arguments.length === 0 ? "*" : children().join(", ")})`;
    case "DistinctRelationships":
      return `${expression.left.name.trim()} <> ${expression.right.name.trim()}`;
    default:
      return `${expression.kind}(${children().join(", ")})`;
  }
}

function literalText(value: Value): string {
  if (typeof value === "string") {
    return `'${value}'`;
  }
  return value === null || typeof value !== "object" ? String(value) : "value" in value ? String(value.value) : "…";
}
