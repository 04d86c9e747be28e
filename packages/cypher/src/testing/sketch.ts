import { must } from "@trefoil/base";
import { type Return } from "../ast/clauses.ts";
import { type Expression } from "../ast/expressions.ts";
import { type Mode } from "../ast/node.ts";
import { type LabelExpression } from "../ast/patterns.ts";
import { QueryError } from "../errors.ts";
import { parseStatement } from "../parse.ts";

/** The expression of `RETURN <text>`. */
export function parseExpression(text: string, mode: Mode = "modern"): Expression {
  const { body } = parseStatement(`RETURN ${text}`, { mode });
  const clause = (body.kind === "Query" ? body.first.clauses[0] : undefined) as Return;
  return must(clause.projection.items[0], "RETURN has an item").expression;
}

/** What a statement fails with; throws when it does not. */
export function failureOf(text: string, mode: Mode = "modern"): QueryError {
  try {
    parseStatement(text, { mode });
  } catch (error) {
    if (error instanceof QueryError) {
      return error;
    }
    throw error;
  }
  throw new Error(`parsed without an error: ${text}`);
}

/** How an expression was grouped: operators in prefix form, `(+ 1 (* 2 3))`. */
export function sketch(e: Expression): string {
  switch (e.kind) {
    case "Binary":
      return `(${e.operator} ${sketch(e.left)} ${sketch(e.right)})`;
    case "Unary":
      return `(${e.operator} ${sketch(e.operand)})`;
    case "ComparisonChain":
      return `(chain ${sketch(e.first)} ${e.rest.map(({ operator, operand }) => `${operator} ${sketch(operand)}`).join(" ")})`;
    case "IsNull":
      return `(${e.negated ? "IS NOT NULL" : "IS NULL"} ${sketch(e.operand)})`;
    case "Subscript":
      return `([] ${sketch(e.subject)} ${sketch(e.index)})`;
    case "Slice":
      return `([..] ${sketch(e.subject)} ${e.from ? sketch(e.from) : "_"} ${e.to ? sketch(e.to) : "_"})`;
    case "PropertyAccess":
      return `(. ${sketch(e.subject)} ${e.key})`;
    case "LabelPredicate":
      return `(: ${sketch(e.operand)} ${sketchLabels(e.labels)})`;
    case "Variable":
      return e.name;
    case "Parameter":
      return `$${e.name}`;
    case "IntegerLiteral":
    case "BooleanLiteral":
      return String(e.value);
    case "FloatLiteral":
      return `${e.value}f`;
    case "StringLiteral":
      return JSON.stringify(e.value);
    case "NullLiteral":
      return "null";
    case "ListLiteral":
      return `[${e.items.map(sketch).join(" ")}]`;
    default:
      return e.kind;
  }
}

export function sketchLabels(labels: LabelExpression): string {
  switch (labels.kind) {
    case "LabelName":
      return labels.name;
    case "LabelWildcard":
      return "%";
    case "LabelNot":
      return `(! ${sketchLabels(labels.operand)})`;
    case "LabelAnd":
      return `(& ${labels.operands.map(sketchLabels).join(" ")})`;
    case "LabelOr":
      return `(| ${labels.operands.map(sketchLabels).join(" ")})`;
    case "DynamicLabel":
      return `$${labels.match}`;
  }
}
