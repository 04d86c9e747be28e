import { type DynamicLabel, type LabelExpression, type LabelName } from "../ast/patterns.ts";
import { type Cursor } from "./cursor.ts";

/**
 * What follows a `:` or `IS`: `A:B`, and in modern Cypher `A&(B|!C)`, `%`, `$(expr)`.
 * While bars are reserved for an enclosing comprehension, a `|` ends it.
 */
export function labelExpression(cursor: Cursor): LabelExpression {
  if (!cursor.isModern) {
    return colonConjunction(cursor);
  }
  return disjunction(cursor, !cursor.areBarsReserved);
}

/** Relationship types: names joined by `|`, of which all but the first may repeat the colon. */
export function typeExpression(cursor: Cursor): LabelExpression {
  if (cursor.isModern) {
    return disjunction(cursor, true);
  }
  const first = labelName(cursor, "a relationship type name");
  const operands: LabelExpression[] = [first];
  while (cursor.accept("|")) {
    cursor.accept(":");
    operands.push(labelName(cursor, "a relationship type name"));
  }
  return operands.length === 1 ? first : { kind: "LabelOr", position: first.position, operands };
}

/** `:A:B` of SET and REMOVE, from the first colon on; `IS A` is the same for one label. */
export function labelList(cursor: Cursor): readonly (LabelName | DynamicLabel)[] {
  const labels: (LabelName | DynamicLabel)[] = [];
  const isWritten = cursor.isModern && cursor.acceptWord("IS");
  if (!isWritten) {
    cursor.expect(":");
  }
  do {
    labels.push(cursor.kind === "$" ? dynamicLabel(cursor) : labelName(cursor, "a label name"));
  } while (!isWritten && cursor.accept(":"));
  return labels;
}

export function labelName(cursor: Cursor, what: string): LabelName {
  const position = cursor.position();
  return { kind: "LabelName", position, name: cursor.name(what) };
}

function colonConjunction(cursor: Cursor): LabelExpression {
  const first = labelName(cursor, "a label name");
  const operands: LabelExpression[] = [first];
  while (cursor.accept(":")) {
    operands.push(labelName(cursor, "a label name"));
  }
  return operands.length === 1 ? first : { kind: "LabelAnd", position: first.position, operands };
}

function disjunction(cursor: Cursor, takesBars: boolean): LabelExpression {
  const position = cursor.position();
  const first = conjunction(cursor);
  const operands = [first];
  while (takesBars && cursor.kindAhead(1) !== "|" && cursor.accept("|")) {
    cursor.accept(":");
    operands.push(conjunction(cursor));
  }
  return operands.length === 1 ? first : { kind: "LabelOr", position, operands };
}

function conjunction(cursor: Cursor): LabelExpression {
  const position = cursor.position();
  const first = negation(cursor);
  const operands = [first];
  while (cursor.accept("&") || cursor.accept(":")) {
    operands.push(negation(cursor));
  }
  return operands.length === 1 ? first : { kind: "LabelAnd", position, operands };
}

function negation(cursor: Cursor): LabelExpression {
  const position = cursor.position();
  if (cursor.accept("!")) {
    return { kind: "LabelNot", position, operand: cursor.nested(() => negation(cursor)) };
  }
  if (cursor.accept("%")) {
    return { kind: "LabelWildcard", position };
  }
  if (cursor.accept("(")) {
    const inner = cursor.nested(() => disjunction(cursor, true));
    cursor.expect(")");
    return inner;
  }
  return cursor.at("$") ? dynamicLabel(cursor) : labelName(cursor, "a label name");
}

function dynamicLabel(cursor: Cursor): DynamicLabel {
  const position = cursor.position();
  cursor.expect("$");
  const match = cursor.acceptWord("ANY") ? "any" : "all";
  if (match === "all") {
    cursor.acceptWord("ALL");
  }
  cursor.expect("(");
  const expression = cursor.withBars(false, () => cursor.rules.expression(cursor));
  cursor.expect(")");
  return { kind: "DynamicLabel", position, match, expression };
}
