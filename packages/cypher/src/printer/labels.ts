import { unreachable } from "@trefoil/base";
import { type LabelExpression } from "../ast/patterns.ts";
import { simpleLabels } from "../simple-labels.ts";
import { printKey, type Printing } from "./printing.ts";

/** What stands behind the colon of a node or relationship pattern. */
export function printLabels(printing: Printing, labels: LabelExpression): string {
  const names = labels.kind === "LabelAnd" ? simpleLabels(labels) : undefined;
  return names === undefined ? printPart(printing, labels, 0) : names.map(printKey).join(":");
}

/** The same in a predicate, where a bare `|` could end a comprehension. */
export function printPredicateLabels(printing: Printing, labels: LabelExpression): string {
  return labels.kind === "LabelOr" ? `(${printPart(printing, labels, 0)})` : printLabels(printing, labels);
}

const OR = 1;
const AND = 2;
const NOT = 3;

function printPart(printing: Printing, labels: LabelExpression, level: number): string {
  const parenthesized = (own: number, text: string): string => (own < level ? `(${text})` : text);
  switch (labels.kind) {
    case "LabelName":
      return printKey(labels.name);
    case "LabelWildcard":
      return "%";
    case "DynamicLabel":
      return `$${labels.match}(${printing.expression(labels.expression)})`;
    case "LabelNot":
      return `!${printPart(printing, labels.operand, NOT)}`;
    case "LabelAnd":
      return parenthesized(AND, labels.operands.map((operand) => printPart(printing, operand, NOT)).join("&"));
    case "LabelOr":
      return parenthesized(OR, labels.operands.map((operand) => printPart(printing, operand, AND)).join("|"));
    default:
      return unreachable(labels);
  }
}
