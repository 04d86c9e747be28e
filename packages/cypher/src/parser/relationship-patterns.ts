import { type RelationshipPattern, type VariableLength } from "../ast/patterns.ts";
import { type Position } from "../errors.ts";
import { type TokenKind } from "../lexer.ts";
import { type Cursor } from "./cursor.ts";
import { typeExpression } from "./labels.ts";
import { integerLiteral } from "./literals.ts";
import { findProperties } from "./maps.ts";
import { quantifier } from "./quantifiers.ts";
import { variable } from "./variables.ts";

const isDash = (kind: TokenKind): boolean => kind === "-" || kind === "dash";
const isLeftArrowhead = (kind: TokenKind): boolean => kind === "<" || kind === "left arrowhead";
const isRightArrowhead = (kind: TokenKind): boolean => kind === ">" || kind === "right arrowhead";

export function startsRelationship(cursor: Cursor): boolean {
  const kind = cursor.kind;
  if (isDash(kind) || (isLeftArrowhead(kind) && isDash(cursor.kindAhead(1)))) {
    return true;
  }
  cursor.expected("a relationship pattern");
  return false;
}

/** `-->`, `<-[r:T|U*1..3 {…}]-`, `--` and their like, from the first character of the arrow on. */
export function relationshipPattern(cursor: Cursor): RelationshipPattern {
  const position = cursor.position();
  const pointsLeft = accept(cursor, isLeftArrowhead, "<");
  dash(cursor);
  const detail = cursor.accept("[") ? relationshipDetail(cursor, position) : NO_DETAIL;
  dash(cursor);
  const pointsRight = accept(cursor, isRightArrowhead, ">");
  return {
    kind: "RelationshipPattern",
    position,
    direction: pointsLeft === pointsRight ? "both" : pointsLeft ? "incoming" : "outgoing",
    bothArrows: pointsLeft && pointsRight,
    ...detail,
    quantifier: quantifier(cursor),
  };
}

type Detail = Pick<RelationshipPattern, "variable" | "types" | "length" | "properties" | "where">;

const NO_DETAIL: Detail = {
  variable: undefined,
  types: undefined,
  length: undefined,
  properties: undefined,
  where: undefined,
};

function relationshipDetail(cursor: Cursor, arrow: Position): Detail {
  const startsWithKeyword = cursor.isModern && (cursor.isWord("WHERE") || cursor.isWord("IS")) && cursor.atName(1);
  const name = cursor.atName() && !startsWithKeyword ? variable(cursor) : undefined;
  if (name === undefined) {
    cursor.expected("an identifier");
  }
  if (cursor.kind === "?") {
    const message = "Question mark is no longer used for optional patterns - use OPTIONAL MATCH instead";
    throw cursor.error(message, arrow, "UnexpectedSyntax");
  }
  const hasTypes = cursor.accept(":") || (cursor.isModern && cursor.acceptWord("IS"));
  const types = hasTypes ? cursor.withBars(false, () => typeExpression(cursor)) : undefined;
  const length = variableLength(cursor);
  const properties = findProperties(cursor);
  const where = cursor.isModern && cursor.acceptWord("WHERE") ? inlineWhere(cursor) : undefined;
  if (!cursor.at("]")) {
    failInRange(cursor);
  }
  cursor.advance();
  return { variable: name, types, length, properties, where };
}

function inlineWhere(cursor: Cursor): RelationshipPattern["where"] {
  return cursor.withBars(false, () => cursor.rules.predicate(cursor));
}

/** `*`, `*2`, `*1..`, `*..3`, `*1..3`. */
function variableLength(cursor: Cursor): VariableLength | undefined {
  const position = cursor.position();
  if (!cursor.accept("*")) {
    return undefined;
  }
  const from = cursor.kind === "integer" ? integerLiteral(cursor) : undefined;
  if (!cursor.accept("..")) {
    return { kind: "VariableLength", position, from, to: from };
  }
  const to = cursor.kind === "integer" ? integerLiteral(cursor) : undefined;
  return { kind: "VariableLength", position, from, to };
}

/** A range without its star, and a negative one, have a word of their own in the TCK (Match4 [9], [10]). */
function failInRange(cursor: Cursor): never {
  throw cursor.unexpected(cursor.kind === ".." || cursor.kind === "-" ? "InvalidRelationshipPattern" : undefined);
}

function dash(cursor: Cursor): void {
  if (!accept(cursor, isDash, "-")) {
    cursor.fail();
  }
}

function accept(cursor: Cursor, isWanted: (kind: TokenKind) => boolean, symbol: TokenKind): boolean {
  const isThere = isWanted(cursor.kind);
  if (isThere) {
    cursor.advance();
  } else {
    cursor.expected(symbol);
  }
  return isThere;
}
