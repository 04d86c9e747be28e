import { type BinaryOperator, type Expression } from "../ast/expressions.ts";
import { type Mode } from "../ast/node.ts";

/** How tightly the printed forms bind, loosest first; the same ladder as the parser's. */
export const LEVEL = {
  or: 1,
  xor: 2,
  and: 3,
  not: 4,
  comparison: 5,
  predicate: 6,
  addition: 7,
  multiplication: 8,
  power: 9,
  sign: 10,
  /** 2.3 only: word operators and subscripts. */
  legacyPostfix: 11,
  postfix: 12,
  atom: 13,
} as const;

const OPERATOR_LEVELS: Readonly<Record<BinaryOperator, number>> = {
  OR: LEVEL.or,
  XOR: LEVEL.xor,
  AND: LEVEL.and,
  "=": LEVEL.comparison,
  "<>": LEVEL.comparison,
  "<": LEVEL.comparison,
  ">": LEVEL.comparison,
  "<=": LEVEL.comparison,
  ">=": LEVEL.comparison,
  "+": LEVEL.addition,
  "-": LEVEL.addition,
  "||": LEVEL.addition,
  "*": LEVEL.multiplication,
  "/": LEVEL.multiplication,
  "%": LEVEL.multiplication,
  "^": LEVEL.power,
  "=~": LEVEL.predicate,
  IN: LEVEL.predicate,
  "STARTS WITH": LEVEL.predicate,
  "ENDS WITH": LEVEL.predicate,
  CONTAINS: LEVEL.predicate,
};

export function operatorLevel(operator: BinaryOperator, mode: Mode): number {
  const level = OPERATOR_LEVELS[operator];
  return level === LEVEL.predicate ? predicateLevel(mode) : level;
}

export function predicateLevel(mode: Mode): number {
  return mode === "modern" ? LEVEL.predicate : LEVEL.legacyPostfix;
}

/** A lower level than necessary only costs parentheses. */
export function levelOf(expression: Expression, mode: Mode): number {
  switch (expression.kind) {
    case "Binary":
      return operatorLevel(expression.operator, mode);
    case "ComparisonChain":
      return LEVEL.comparison;
    case "Unary":
      return expression.operator === "NOT" ? LEVEL.not : LEVEL.sign;
    case "IsNull":
      return predicateLevel(mode);
    case "TypePredicate":
    case "NormalizedPredicate":
      // A type can end in words and brackets that would join what follows.
      return LEVEL.not;
    case "PatternExpression":
      // A pattern goes on where `-` or `<` follows.
      return expression.selector === undefined ? LEVEL.comparison : LEVEL.atom;
    case "IntegerLiteral":
      return expression.value < 0 ? LEVEL.sign : LEVEL.atom;
    case "Subscript":
    case "Slice":
      return mode === "modern" ? LEVEL.postfix : LEVEL.legacyPostfix;
    case "PropertyAccess":
    case "LabelPredicate":
      return LEVEL.postfix;
    default:
      return LEVEL.atom;
  }
}
