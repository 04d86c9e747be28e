import { type Binary, type BinaryOperator, type ComparisonOperator, type Expression } from "../ast/expressions.ts";
import { type Position } from "../errors.ts";
import { atom, endsOperand } from "./atoms.ts";
import { type Cursor } from "./cursor.ts";
import { isPredicate } from "./is-predicates.ts";
import { isMagnitudeOfSmallest, integerLiteral, signedNumber } from "./literals.ts";
import { asValue } from "./pattern-lookahead.ts";
import { postfixed, propertiesAndLabels, subscript } from "./postfix.ts";

/**
 * How tightly operators bind, loosest first.
 *
 * @source cypher.md §4.1 for 2.3; openCypher TCK precedence features for modern Cypher
 */
const OR = 1;
const XOR = 2;
const AND = 3;
const NOT = 4;
const COMPARISON = 5;
/** `IN`, `=~`, `STARTS WITH`, `IS NULL`, … in modern Cypher; in 2.3 they bind as tightly as {@link POSTFIX}. */
const PREDICATE = 6;
const ADDITION = 7;
const MULTIPLICATION = 8;
const POWER = 9;
const SIGN = 10;
const POSTFIX = 11;

/** Operators in a row (`1 + 1 + …`) make the tree as deep as there are operators: as many as walks over it can take. */
const MAXIMUM_CHAIN = 1000;

/** `AND`, `OR` and `XOR` may be applied in any grouping, so longer chains (programs write them) become balanced trees. */
const LONGEST_UNBALANCED_CHAIN = 32;

/** An expression in a place for a truth value: patterns are fine. */
export function predicate(cursor: Cursor): Expression {
  cursor.enter();
  const result = operation(cursor, OR);
  cursor.leave();
  return result;
}

/** An expression whose value is used. */
export function expression(cursor: Cursor): Expression {
  return asValue(cursor, predicate(cursor));
}

/** Operations that bind at least as tightly as `level`. */
function operation(cursor: Cursor, level: number): Expression {
  let left = prefixed(cursor, level);
  for (let length = 1; ; length += 1) {
    const operator = findOperator(cursor);
    if (operator === undefined || operator.level < level) {
      cursor.expected("an operator");
      return left;
    }
    if (length > MAXIMUM_CHAIN) {
      const message = `Too many operators in a row: more than ${MAXIMUM_CHAIN}`;
      throw cursor.error(message, cursor.position(), "UnexpectedSyntax");
    }
    left = operator.apply(cursor, left, operator);
  }
}

function prefixed(cursor: Cursor, level: number): Expression {
  if (level <= NOT && cursor.isWord("NOT") && !endsOperand(cursor.kindAhead(1))) {
    const position = cursor.position();
    cursor.advance();
    return { kind: "Unary", position, operator: "NOT", operand: operand(cursor, NOT) };
  }
  const operator = cursor.kind;
  if ((operator !== "-" && operator !== "+") || (level > SIGN && !isSignedNumber(cursor))) {
    // In 2.3 `[…]` binds like IN, as an operator; in modern Cypher it belongs to what stands before it.
    return cursor.isModern ? postfixed(cursor, atom(cursor)) : propertiesAndLabels(cursor, atom(cursor));
  }
  const position = cursor.position();
  cursor.advance();
  if (operator === "-" && cursor.kind === "integer" && isMagnitudeOfSmallest(cursor)) {
    return integerLiteral(cursor, position);
  }
  if (operator === "-" && !cursor.isModern && cursor.isAdjacent() && cursor.atNumber()) {
    return signedNumber(cursor, position);
  }
  return { kind: "Unary", position, operator, operand: asValue(cursor, operand(cursor, SIGN)) };
}

/** In 2.3 the sign of a number counts as part of it, so that `x IN -1` parses (and then fails for its type). */
function isSignedNumber(cursor: Cursor): boolean {
  const next = cursor.kindAhead(1);
  return !cursor.isModern && (next === "integer" || next === "float");
}

/** The operand of a prefix operator, which can be one more prefix operator. */
function operand(cursor: Cursor, level: number): Expression {
  cursor.enter();
  const result = operation(cursor, level);
  cursor.leave();
  return result;
}

interface Operator {
  readonly level: number;
  readonly apply: (cursor: Cursor, left: Expression, operator: Operator) => Expression;
  /** The symbol in the tree, and the keywords it is written with where it takes more than one token. */
  readonly symbol?: BinaryOperator;
  readonly words?: readonly string[];
}

const comparisonOperator: Operator = { level: COMPARISON, apply: comparison };

function binaryOperator(level: number, symbol: BinaryOperator, words?: readonly string[]): Operator {
  return { level, apply: binary, symbol, ...(words === undefined ? {} : { words }) };
}

function predicateOperators(level: number): Readonly<Record<string, Operator>> {
  return {
    IN: binaryOperator(level, "IN"),
    STARTS: binaryOperator(level, "STARTS WITH", ["STARTS", "WITH"]),
    ENDS: binaryOperator(level, "ENDS WITH", ["ENDS", "WITH"]),
    CONTAINS: binaryOperator(level, "CONTAINS"),
    "=~": binaryOperator(level, "=~"),
    IS: { level, apply: (cursor, left) => isPredicate(cursor, asValue(cursor, left)) },
  };
}

const COMMON_OPERATORS: Readonly<Record<string, Operator>> = {
  OR: { level: OR, apply: logical, symbol: "OR" },
  XOR: { level: XOR, apply: logical, symbol: "XOR" },
  AND: { level: AND, apply: logical, symbol: "AND" },
  "=": comparisonOperator,
  "<>": comparisonOperator,
  "<": comparisonOperator,
  ">": comparisonOperator,
  "<=": comparisonOperator,
  ">=": comparisonOperator,
  "!=": comparisonOperator,
  "+": binaryOperator(ADDITION, "+"),
  "-": binaryOperator(ADDITION, "-"),
  "*": binaryOperator(MULTIPLICATION, "*"),
  "/": binaryOperator(MULTIPLICATION, "/"),
  "%": binaryOperator(MULTIPLICATION, "%"),
  "^": binaryOperator(POWER, "^"),
};

const OPERATORS: Readonly<Record<"modern" | "2.3", ReadonlyMap<string, Operator>>> = {
  modern: new Map(
    Object.entries({
      ...COMMON_OPERATORS,
      ...predicateOperators(PREDICATE),
      "|": { ...binaryOperator(ADDITION, "||"), words: ["|", "|"] },
    }),
  ),
  "2.3": new Map(
    Object.entries({
      ...COMMON_OPERATORS,
      ...predicateOperators(POSTFIX),
      "[": { level: POSTFIX, apply: (cursor: Cursor, left: Expression) => subscript(cursor, asValue(cursor, left)) },
    }),
  ),
};

/** Words of more letters are no operators, and need not be looked up. */
const LONGEST_OPERATOR = "CONTAINS".length;

function findOperator(cursor: Cursor): Operator | undefined {
  const kind = cursor.kind;
  if (kind === "word") {
    const word = cursor.tokenText;
    return word.length > LONGEST_OPERATOR ? undefined : OPERATORS[cursor.mode].get(word.toUpperCase());
  }
  if (kind === "|" && !(cursor.kindAhead(1) === "|" && cursor.isAdjacentAhead(1))) {
    return undefined;
  }
  return OPERATORS[cursor.mode].get(kind);
}

function binary(cursor: Cursor, left: Expression, operator: Operator): Expression {
  const { position, symbol } = readSymbol(cursor, operator);
  const right = operation(cursor, operator.level + 1);
  return { kind: "Binary", position, operator: symbol, left: asValue(cursor, left), right: asValue(cursor, right) };
}

function readSymbol(cursor: Cursor, operator: Operator): { position: Position; symbol: BinaryOperator } {
  const position = cursor.position();
  cursor.advance();
  for (const word of operator.words?.slice(1) ?? []) {
    if (word === "|") {
      cursor.advance();
    } else {
      cursor.expectWord(word);
    }
  }
  return { position, symbol: operator.symbol ?? cursor.fail() };
}

/** A whole run of one of `AND`, `OR`, `XOR`. */
function logical(cursor: Cursor, first: Expression, operator: Operator): Expression {
  const operands = [first];
  const positions: Position[] = [];
  do {
    positions.push(readSymbol(cursor, operator).position);
    operands.push(operation(cursor, operator.level + 1));
  } while (findOperator(cursor) === operator);
  const symbol = operator.symbol ?? cursor.fail();
  if (operands.length > LONGEST_UNBALANCED_CHAIN) {
    return balanced(operands, positions, symbol, 0, operands.length);
  }
  return operands.reduce((left, right, index) => link(symbol, positions[index - 1] ?? left.position, left, right));
}

function balanced(
  operands: readonly Expression[],
  positions: readonly Position[],
  symbol: BinaryOperator,
  from: number,
  to: number,
): Expression {
  const middle = (from + to) >> 1;
  const left = operands[from];
  const position = positions[middle - 1];
  if (left !== undefined && (to - from === 1 || position === undefined)) {
    return left;
  }
  return link(
    symbol,
    position ?? { offset: 0, line: 1, column: 1 },
    balanced(operands, positions, symbol, from, middle),
    balanced(operands, positions, symbol, middle, to),
  );
}

function link(operator: BinaryOperator, position: Position, left: Expression, right: Expression): Binary {
  return { kind: "Binary", position, operator, left, right };
}

/** One comparison, or a chain of them. */
function comparison(cursor: Cursor, left: Expression): Expression {
  const first = asValue(cursor, left);
  const rest = [];
  do {
    const position = cursor.position();
    const operator = comparisonSymbol(cursor);
    cursor.advance();
    const compared = asValue(cursor, operation(cursor, PREDICATE));
    rest.push({ kind: "ComparisonLink", position, operator, operand: compared } as const);
  } while (findOperator(cursor) === comparisonOperator);
  const [link0] = rest;
  if (link0 !== undefined && rest.length === 1) {
    return link(link0.operator, link0.position, first, link0.operand);
  }
  return { kind: "ComparisonChain", position: link0?.position ?? first.position, first, rest };
}

function comparisonSymbol(cursor: Cursor): ComparisonOperator {
  const kind = cursor.kind;
  switch (kind) {
    case "=":
    case "<>":
    case "<":
    case ">":
    case "<=":
    case ">=":
      return kind;
    default:
      throw cursor.error(
        "Unknown operation '!=' (you probably meant to use '<>', which is the operator for inequality testing)",
        cursor.position(),
        "UnexpectedSyntax",
      );
  }
}
