import {
  type NodePattern,
  type ParenthesizedPath,
  type PathElement,
  type PathPattern,
  type Quantifier,
} from "../ast/patterns.ts";
import { type Cursor } from "./cursor.ts";
import { labelExpression } from "./labels.ts";
import { findProperties } from "./maps.ts";
import { relationshipPattern, startsRelationship } from "./relationship-patterns.ts";
import { quantifier } from "./quantifiers.ts";
import { variable } from "./variables.ts";

/** A chain of nodes and relationships: `(a)-[:R]->(b)--c`. */
export function pathPattern(cursor: Cursor): PathPattern {
  const position = cursor.position();
  const elements: PathElement[] = [pathNode(cursor)];
  while (true) {
    if (startsRelationship(cursor)) {
      elements.push(relationshipPattern(cursor), pathNode(cursor));
    } else if (cursor.isModern && cursor.kind === "(" && mayFollowDirectly(elements.at(-1), cursor)) {
      elements.push(pathNode(cursor));
    } else {
      return { kind: "PathPattern", position, elements };
    }
  }
}

/** Two nodes side by side mean one node, where one of them is at the edge of a parenthesized path. */
function mayFollowDirectly(previous: PathElement | undefined, cursor: Cursor): boolean {
  return (
    previous?.kind === "ParenthesizedPath" || (previous?.kind === "NodePattern" && startsParenthesizedPath(cursor))
  );
}

function pathNode(cursor: Cursor): NodePattern | ParenthesizedPath {
  if (cursor.kind === "(") {
    return startsParenthesizedPath(cursor) ? cursor.nested(() => parenthesizedPath(cursor)) : nodePattern(cursor);
  }
  const position = cursor.position();
  cursor.expected("(");
  const name = variable(cursor);
  if (cursor.kind === ":" || cursor.kind === "{") {
    throw cursor.error("Parentheses are required to identify nodes in patterns", position, "UnexpectedSyntax");
  }
  return {
    kind: "NodePattern",
    position,
    variable: name,
    labels: undefined,
    properties: undefined,
    where: undefined,
    parenthesized: false,
  };
}

/** `((`, or `(p = (`. */
function startsParenthesizedPath(cursor: Cursor): boolean {
  if (!cursor.isModern) {
    return false;
  }
  return (
    cursor.kindAhead(1) === "(" || (cursor.atName(1) && cursor.kindAhead(2) === "=" && cursor.kindAhead(3) === "(")
  );
}

function parenthesizedPath(cursor: Cursor): ParenthesizedPath {
  const position = cursor.position();
  cursor.expect("(");
  const name = cursor.atName() ? variable(cursor) : undefined;
  if (name !== undefined) {
    cursor.expect("=");
  }
  const path = pathPattern(cursor);
  const where = cursor.acceptWord("WHERE") ? cursor.rules.predicate(cursor) : undefined;
  cursor.expect(")");
  const repetition: Quantifier | undefined = quantifier(cursor);
  return { kind: "ParenthesizedPath", position, variable: name, path, where, quantifier: repetition };
}

function nodePattern(cursor: Cursor): NodePattern {
  const position = cursor.position();
  cursor.expect("(");
  const startsWithKeyword =
    cursor.isModern &&
    ((cursor.isWord("WHERE") &&
      cursor.kindAhead(1) !== ")" &&
      cursor.kindAhead(1) !== ":" &&
      cursor.kindAhead(1) !== "{") ||
      (cursor.isWord("IS") && (cursor.atName(1) || cursor.kindAhead(1) === "%")));
  const name = cursor.atName() && !startsWithKeyword ? variable(cursor) : undefined;
  if (name === undefined) {
    cursor.expected("an identifier");
  }
  const labels = nodeLabels(cursor);
  const properties = findProperties(cursor);
  const where = cursor.isModern && cursor.acceptWord("WHERE") ? cursor.rules.predicate(cursor) : undefined;
  cursor.expect(")");
  return { kind: "NodePattern", position, variable: name, labels, properties, where, parenthesized: true };
}

function nodeLabels(cursor: Cursor): NodePattern["labels"] {
  const isThere = cursor.accept(":") || (cursor.isModern && cursor.acceptWord("IS"));
  return isThere ? cursor.withBars(false, () => labelExpression(cursor)) : undefined;
}
