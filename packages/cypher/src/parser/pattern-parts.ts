import { type PathPattern, type PathSelector, type PatternPart } from "../ast/patterns.ts";
import { type Cursor } from "./cursor.ts";
import { integerLiteral } from "./literals.ts";
import { parameter, startsParameter } from "./parameters.ts";
import { pathPattern } from "./path-patterns.ts";
import { shortestPathExpression } from "./pattern-expressions.ts";
import { variable } from "./variables.ts";

/** The comma-separated parts of MATCH and CREATE. */
export function patternParts(cursor: Cursor): readonly PatternPart[] {
  const parts = [];
  do {
    parts.push(patternPart(cursor));
  } while (cursor.accept(","));
  return parts;
}

/** `[p =] [selector] path`, or `[p =] shortestPath(path)`. */
export function patternPart(cursor: Cursor): PatternPart {
  const position = cursor.position();
  const name = cursor.atName() && cursor.kindAhead(1) === "=" ? variable(cursor) : undefined;
  if (name !== undefined) {
    cursor.advance();
  }
  if (!cursor.isModern && cursor.at("{")) {
    const message = "Parentheses are required to identify nodes in patterns";
    throw cursor.error(message, cursor.position(), "UnexpectedSyntax");
  }
  if ((cursor.isWord("SHORTESTPATH") || cursor.isWord("ALLSHORTESTPATHS")) && cursor.kindAhead(1) === "(") {
    const { selector, path } = shortestPathExpression(cursor);
    return { kind: "PatternPart", position, variable: name, selector, path };
  }
  const selector = cursor.isModern ? pathSelector(cursor) : undefined;
  return { kind: "PatternPart", position, variable: name, selector, path: wholePath(cursor) };
}

/** A path that may stand in parentheses as a whole, which then mean nothing. */
function wholePath(cursor: Cursor): PathPattern {
  if (!cursor.isModern && cursor.kind === "(" && cursor.kindAhead(1) === "(") {
    cursor.advance();
    const inner = cursor.nested(() => wholePath(cursor));
    cursor.expect(")");
    return inner;
  }
  const path = pathPattern(cursor);
  const [only] = path.elements;
  const isPlain = only?.kind === "ParenthesizedPath" && only.quantifier === undefined && only.where === undefined;
  return isPlain && path.elements.length === 1 && only.variable === undefined ? only.path : path;
}

const PATHS = ["PATH", "PATHS"];
const GROUPS = ["GROUP", "GROUPS"];

function pathSelector(cursor: Cursor): PathSelector | undefined {
  // ANY, ALL and SHORTEST may also name a bare node, which no parenthesis, count or further word follows.
  const next = cursor.kindAhead(1);
  if (next !== "(" && next !== "integer" && next !== "$" && next !== "word" && next !== "{") {
    return undefined;
  }
  const position = cursor.position();
  if (cursor.isWord("ALL")) {
    cursor.advance();
    const isShortest = cursor.acceptWord("SHORTEST");
    skipOneOf(cursor, PATHS);
    return { kind: isShortest ? "AllShortestPaths" : "AllPaths", position };
  }
  if (cursor.isWord("ANY")) {
    cursor.advance();
    if (cursor.acceptWord("SHORTEST")) {
      skipOneOf(cursor, PATHS);
      return { kind: "ShortestPaths", position, count: undefined };
    }
    const count = findCount(cursor);
    skipOneOf(cursor, PATHS);
    return { kind: "AnyPaths", position, count };
  }
  if (cursor.isWord("SHORTEST")) {
    cursor.advance();
    const count = findCount(cursor);
    skipOneOf(cursor, PATHS);
    return { kind: skipOneOf(cursor, GROUPS) ? "ShortestGroups" : "ShortestPaths", position, count };
  }
  return undefined;
}

function findCount(cursor: Cursor): ReturnType<typeof integerLiteral> | ReturnType<typeof parameter> | undefined {
  if (cursor.kind === "integer") {
    return integerLiteral(cursor);
  }
  return startsParameter(cursor) ? parameter(cursor) : undefined;
}

function skipOneOf(cursor: Cursor, words: readonly string[]): boolean {
  const isThere = cursor.isAnyWord(words);
  if (isThere) {
    cursor.advance();
  }
  return isThere;
}
