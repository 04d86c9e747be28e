import { unreachable } from "@trefoil/base";
import { type Binary, type Expression, type MapProjectionItem, type TypeExpression } from "../ast/expressions.ts";
import { printPredicateLabels } from "./labels.ts";
import { LEVEL, levelOf, operatorLevel, predicateLevel } from "./levels.ts";
import { printKey, printMap, printName, printParameter, printString, type Printing, words } from "./printing.ts";

export function printExpression(printing: Printing, expression: Expression, level = 0): string {
  const text = bare(printing, expression);
  return levelOf(expression, printing.mode) < level ? `(${text})` : text;
}

function bare(printing: Printing, e: Expression): string {
  const print = printing.expression;
  switch (e.kind) {
    case "NullLiteral":
      return "null";
    case "BooleanLiteral":
    case "IntegerLiteral":
      return String(e.value);
    case "FloatLiteral":
      return Number.isInteger(e.value) && !String(e.value).includes("e") ? `${e.value}.0` : String(e.value);
    case "StringLiteral":
      return printString(e.value);
    case "ListLiteral":
      return `[${e.items.map((item) => print(item)).join(", ")}]`;
    case "MapLiteral":
      return printMap(printing, e);
    case "Parameter":
      return printParameter(e);
    case "Variable":
      return printName(e.name);
    case "Unary":
      return e.operator === "NOT"
        ? `NOT ${print(e.operand, LEVEL.not)}`
        : `${e.operator}${print(e.operand, LEVEL.sign)}`;
    case "Binary":
      return binary(printing, e);
    case "ComparisonChain":
      return words(
        print(e.first, LEVEL.predicate),
        ...e.rest.map(({ operator, operand }) => `${operator} ${print(operand, LEVEL.predicate)}`),
      );
    case "IsNull":
      return `${print(e.operand, predicateLevel(printing.mode))} IS ${e.negated ? "NOT " : ""}NULL`;
    case "TypePredicate":
      return `${print(e.operand, LEVEL.predicate)} IS ${e.negated ? "NOT " : ""}:: ${printType(e.type)}`;
    case "NormalizedPredicate":
      return `${print(e.operand, LEVEL.predicate)} IS ${e.negated ? "NOT " : ""}${e.form} NORMALIZED`;
    case "LabelPredicate":
      return `${print(e.operand, e.operand.kind === "LabelPredicate" ? LEVEL.atom : LEVEL.postfix)}:${printPredicateLabels(printing, e.labels)}`;
    case "PropertyAccess":
      return `${subject(printing, e.subject)}.${printKey(e.key)}`;
    case "Subscript":
      return `${listSubject(printing, e.subject)}[${print(e.index)}]`;
    case "Slice":
      return `${listSubject(printing, e.subject)}[${e.from === undefined ? "" : print(e.from)}..${e.to === undefined ? "" : print(e.to)}]`;
    case "CountStar":
      return "count(*)";
    case "FunctionCall":
      return `${functionName(e.namespace, e.name)}(${e.distinct ? "DISTINCT " : ""}${e.arguments.map((argument) => print(argument)).join(", ")})`;
    case "Case":
      return words(
        "CASE",
        e.subject && print(e.subject),
        ...e.alternatives.map(({ when, result }) => `WHEN ${print(when)} THEN ${print(result)}`),
        e.otherwise && `ELSE ${print(e.otherwise)}`,
        "END",
      );
    case "ListComprehension":
      return listComprehension(printing, e);
    case "PatternComprehension":
      return `[${words(e.variable && `${printName(e.variable.name)} =`, printing.path(e.path), e.where && `WHERE ${print(e.where)}`, "|", print(e.projection))}]`;
    case "QuantifiedPredicate":
      return `${e.quantifier}(${printName(e.variable.name)} IN ${print(e.list)} WHERE ${print(e.where)})`;
    case "Reduce":
      return `reduce(${printName(e.accumulator.name)} = ${print(e.initial)}, ${printName(e.variable.name)} IN ${print(e.list)} | ${print(e.expression)})`;
    case "MapProjection":
      return `${printName(e.subject.name)} {${e.items.map((item) => projectionItem(printing, item)).join(", ")}}`;
    case "PatternExpression":
      return e.selector === undefined
        ? printing.path(e.path)
        : `${e.selector.all ? "allShortestPaths" : "shortestPath"}(${printing.path(e.path)})`;
    case "SubqueryExpression":
      return `${e.form.toUpperCase()} { ${printing.query(e.query)} }`;
    default:
      return unreachable(e);
  }
}

/** A number in front of a dot would take it for its own. */
function subject(printing: Printing, expression: Expression): string {
  const isNumber = expression.kind === "IntegerLiteral" || expression.kind === "FloatLiteral";
  return isNumber ? `(${bare(printing, expression)})` : printing.expression(expression, LEVEL.postfix);
}

function listSubject(printing: Printing, expression: Expression): string {
  return printing.expression(expression, printing.mode === "modern" ? LEVEL.postfix : LEVEL.legacyPostfix);
}

/** From this many operands on, chains of AND, OR and XOR come from the parser as balanced trees. */
const SHORTEST_BALANCED_CHAIN = 33;

function binary(printing: Printing, e: Binary): string {
  const level = operatorLevel(e.operator, printing.mode);
  if (level < LEVEL.not) {
    const operands = flatten(e, e.operator);
    if (operands.length >= SHORTEST_BALANCED_CHAIN && isBalanced(e, e.operator, operands.length)) {
      return operands.map((operand) => printing.expression(operand, level + 1)).join(` ${e.operator} `);
    }
  }
  const isComparison = level === LEVEL.comparison;
  const left = printing.expression(e.left, isComparison ? level + 1 : level);
  return `${left} ${e.operator} ${printing.expression(e.right, level + 1)}`;
}

function flatten(e: Expression, operator: Binary["operator"]): readonly Expression[] {
  return e.kind === "Binary" && e.operator === operator
    ? [...flatten(e.left, operator), ...flatten(e.right, operator)]
    : [e];
}

function isBalanced(e: Expression, operator: Binary["operator"], size: number): boolean {
  if (size === 1) {
    return e.kind !== "Binary" || e.operator !== operator;
  }
  const half = size >> 1;
  return (
    e.kind === "Binary" &&
    e.operator === operator &&
    isBalanced(e.left, operator, half) &&
    isBalanced(e.right, operator, size - half)
  );
}

/** Names with a syntax of their own behind the parenthesis: an ordinary call by that name was quoted. */
const SPECIAL_FORMS = new Set(
  "ALL ANY NONE SINGLE FILTER EXTRACT REDUCE SHORTESTPATH ALLSHORTESTPATHS NOT CASE".split(" "),
);

function functionName(namespace: readonly string[], name: string): string {
  const isSpecial = namespace.length === 0 && SPECIAL_FORMS.has(name.toUpperCase());
  return isSpecial ? `\`${name}\`` : [...namespace, name].map(printKey).join(".");
}

function listComprehension(printing: Printing, e: Extract<Expression, { kind: "ListComprehension" }>): string {
  const inner = words(
    `${printName(e.variable.name)} IN ${printing.expression(e.list)}`,
    e.where && `WHERE ${printing.expression(e.where)}`,
    e.projection && `| ${printing.expression(e.projection)}`,
  );
  return e.form === "brackets" ? `[${inner}]` : `${e.form}(${inner})`;
}

function projectionItem(printing: Printing, item: MapProjectionItem): string {
  switch (item.kind) {
    case "AllProperties":
      return ".*";
    case "ProjectedProperty":
      return `.${printKey(item.key)}`;
    case "ProjectedVariable":
      return printName(item.variable.name);
    case "ProjectedEntry":
      return `${printKey(item.key)}: ${printing.expression(item.value)}`;
    default:
      return unreachable(item);
  }
}

/** `ANY<…>` around alternatives keeps their bars from what encloses them. */
export function printType(type: TypeExpression): string {
  switch (type.kind) {
    case "NamedType":
      return `${type.name}${type.notNull ? " NOT NULL" : ""}`;
    case "ListType":
      return `LIST<${printType(type.element)}>${type.notNull ? " NOT NULL" : ""}`;
    case "UnionType":
      return `ANY<${type.members.map(printType).join(" | ")}>`;
    default:
      return unreachable(type);
  }
}
