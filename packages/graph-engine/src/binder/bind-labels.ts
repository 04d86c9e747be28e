import { type LabelExpression } from "@trefoil/cypher";
import { bindExpression, type ExpressionPlace } from "./bind-context.ts";
import { type BoundLabels } from "./bound-expression.ts";

/** What follows `:` in patterns and predicates. */
export function bindLabels(labels: LabelExpression, place: ExpressionPlace): BoundLabels {
  switch (labels.kind) {
    case "LabelName":
      return { kind: "Name", name: labels.name };
    case "LabelWildcard":
      return { kind: "Any" };
    case "LabelNot":
      return { kind: "Not", operand: bindLabels(labels.operand, place) };
    case "LabelAnd":
      return { kind: "And", operands: labels.operands.map((operand) => bindLabels(operand, place)) };
    case "LabelOr":
      return { kind: "Or", operands: labels.operands.map((operand) => bindLabels(operand, place)) };
    case "DynamicLabel":
      return { kind: "Dynamic", match: labels.match, expression: bindExpression(labels.expression, place) };
  }
}
