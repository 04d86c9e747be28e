import { type Expression, type ListComprehension } from "../ast/expressions.ts";
import { type Position } from "../errors.ts";
import { filteredList } from "./comprehensions.ts";
import { type Cursor } from "./cursor.ts";
import { shortestPathExpression } from "./pattern-expressions.ts";
import { variable } from "./variables.ts";

type Form = (cursor: Cursor, position: Position) => Expression;

/** Names that look like functions before a parenthesis but have a syntax of their own inside. */
const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ["COUNT", countStar],
  ["ALL", quantified("all")],
  ["ANY", quantified("any")],
  ["NONE", quantified("none")],
  ["SINGLE", quantified("single")],
  ["FILTER", filter],
  ["EXTRACT", extract],
  ["REDUCE", reduce],
  ["SHORTESTPATH", (cursor) => shortestPathExpression(cursor)],
  ["ALLSHORTESTPATHS", (cursor) => shortestPathExpression(cursor)],
]);

/** The special form at the cursor, before a `(`; `undefined` when it is an ordinary call after all. */
export function calledForm(cursor: Cursor): Expression | undefined {
  const word = cursor.tokenText.toUpperCase();
  const form = FORMS.get(word);
  return form !== undefined && beginsForm(cursor, word) ? form(cursor, cursor.position()) : undefined;
}

function beginsForm(cursor: Cursor, word: string): boolean {
  switch (word) {
    case "COUNT":
      return cursor.kindAhead(2) === "*";
    case "REDUCE":
      return cursor.atName(2) && cursor.kindAhead(3) === "=";
    case "SHORTESTPATH":
    case "ALLSHORTESTPATHS":
      return cursor.kindAhead(2) === "(";
    default:
      return cursor.atName(2) && cursor.isWord("IN", 3);
  }
}

function countStar(cursor: Cursor, position: Position): Expression {
  openCall(cursor);
  cursor.expect("*");
  cursor.expect(")");
  return { kind: "CountStar", position };
}

function quantified(quantifier: "all" | "any" | "none" | "single"): Form {
  return (cursor, position) => {
    openCall(cursor);
    const { where, ...parts } = filteredList(cursor);
    cursor.expect(")");
    if (where === undefined) {
      throw cursor.error(`${quantifier}(...) requires a WHERE predicate`, position, "UnexpectedSyntax");
    }
    return { kind: "QuantifiedPredicate", position, quantifier, ...parts, where };
  };
}

function filter(cursor: Cursor, position: Position): ListComprehension {
  openCall(cursor);
  const parts = filteredList(cursor);
  cursor.expect(")");
  if (parts.where === undefined) {
    throw cursor.error("filter(...) requires a WHERE predicate", position, "UnexpectedSyntax");
  }
  return { kind: "ListComprehension", position, form: "filter", ...parts, projection: undefined };
}

function extract(cursor: Cursor, position: Position): ListComprehension {
  openCall(cursor);
  const parts = filteredList(cursor);
  const projection = cursor.accept("|") ? cursor.withBars(false, () => cursor.rules.expression(cursor)) : undefined;
  cursor.expect(")");
  if (projection === undefined) {
    const message = "extract(...) requires '| expression' (an extract expression)";
    throw cursor.error(message, position, "UnexpectedSyntax");
  }
  if (!cursor.isModern && parts.where !== undefined) {
    throw cursor.error("extract(...) should not contain a WHERE predicate", position, "UnexpectedSyntax");
  }
  return { kind: "ListComprehension", position, form: "extract", ...parts, projection };
}

/** `reduce(acc = e0, x IN list | e)`. */
function reduce(cursor: Cursor, position: Position): Expression {
  openCall(cursor);
  const accumulator = variable(cursor);
  cursor.expect("=");
  const initial = cursor.withBars(false, () => cursor.rules.expression(cursor));
  cursor.expect(",");
  const element = variable(cursor);
  cursor.expectWord("IN");
  const list = cursor.withBars(true, () => cursor.rules.expression(cursor));
  if (cursor.at(")") && !cursor.isModern) {
    const message = "reduce(...) requires '| expression' (an accumulation expression)";
    throw cursor.error(message, position, "UnexpectedSyntax");
  }
  cursor.expect("|");
  const step = cursor.withBars(false, () => cursor.rules.expression(cursor));
  cursor.expect(")");
  return { kind: "Reduce", position, accumulator, initial, variable: element, list, expression: step };
}

function openCall(cursor: Cursor): void {
  cursor.advance();
  cursor.expect("(");
}

/** Is the name at the cursor the first of `a.b.c(`? */
export function isNamespacedCall(cursor: Cursor): boolean {
  let next = 1;
  while (cursor.kindAhead(next) === "." && cursor.atName(next + 1)) {
    next += 2;
  }
  return cursor.kindAhead(next) === "(";
}

/** Functions whose arguments may be patterns, which they test for a match. */
const PATTERN_TESTS = new Set(["EXISTS"]);

const NORMAL_FORMS = ["NFC", "NFD", "NFKC", "NFKD"];

export function functionCall(cursor: Cursor): Expression {
  const position = cursor.position();
  const names = [cursor.name("a function name")];
  while (cursor.accept(".")) {
    names.push(cursor.name("a function name"));
  }
  const name = names.at(-1) ?? "";
  const namespace = names.slice(0, -1);
  const upperName = namespace.length === 0 ? name.toUpperCase() : "";
  cursor.expect("(");
  return cursor.withBars(false, () => {
    const distinct = cursor.acceptWord("DISTINCT");
    const args: Expression[] = [];
    if (!cursor.accept(")")) {
      do {
        args.push(argument(cursor, upperName));
      } while (cursor.accept(","));
      cursor.expect(")");
    }
    return { kind: "FunctionCall", position, namespace, name, distinct, arguments: args };
  });
}

function argument(cursor: Cursor, upperName: string): Expression {
  if (PATTERN_TESTS.has(upperName)) {
    return cursor.rules.predicate(cursor);
  }
  // normalize(s, NFC): the form is a keyword there; the tree holds it as text.
  if (upperName === "NORMALIZE" && cursor.isModern && cursor.isAnyWord(NORMAL_FORMS) && cursor.kindAhead(1) === ")") {
    const position = cursor.position();
    return { kind: "StringLiteral", position, value: cursor.name("a normal form").toUpperCase() };
  }
  return cursor.rules.expression(cursor);
}
