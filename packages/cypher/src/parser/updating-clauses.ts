import {
  type Create,
  type Delete,
  type Foreach,
  type Merge,
  type MergeAction,
  type Remove,
  type RemoveItem,
  type SetClause,
  type SetItem,
} from "../ast/clauses.ts";
import { type Expression, type PropertyAccess, type Subscript } from "../ast/expressions.ts";
import { atom } from "./atoms.ts";
import { type Cursor } from "./cursor.ts";
import { labelList } from "./labels.ts";
import { patternPart, patternParts } from "./pattern-parts.ts";
import { propertyAccess, subscript } from "./postfix.ts";
import { variable } from "./variables.ts";

type UpdatingClause = Foreach["clauses"][number];

/** The updating clause at the cursor, if there is one. */
export function findUpdatingClause(cursor: Cursor): UpdatingClause | undefined {
  const word = cursor.kind === "word" ? cursor.tokenText.toUpperCase() : "";
  const rule = UPDATING_CLAUSES.get(word);
  if (rule !== undefined && (word !== "INSERT" || cursor.isModern)) {
    return rule(cursor);
  }
  cursor.expected("an updating clause");
  return undefined;
}

const UPDATING_CLAUSES: ReadonlyMap<string, (cursor: Cursor) => UpdatingClause> = new Map<
  string,
  (cursor: Cursor) => UpdatingClause
>([
  ["CREATE", create],
  ["INSERT", create],
  ["MERGE", merge],
  ["SET", set],
  ["REMOVE", remove],
  ["DELETE", deleteClause],
  ["DETACH", deleteClause],
  ["NODETACH", deleteClause],
  ["FOREACH", foreach],
]);

/** `CREATE pattern`, `CREATE UNIQUE pattern`; `INSERT` is the same word in GQL. */
function create(cursor: Cursor): Create {
  const position = cursor.position();
  cursor.advance();
  const unique = cursor.isWord("UNIQUE") && !startsArrow(cursor, 1) && cursor.acceptWord("UNIQUE");
  return { kind: "Create", position, unique, pattern: patternParts(cursor) };
}

/** Is `UNIQUE` itself a bare node here (`CREATE unique-->…`, or the end)? */
function startsArrow(cursor: Cursor, distance: number): boolean {
  const kind = cursor.kindAhead(distance);
  return kind === "-" || kind === "<" || kind === "," || kind === "=" || kind === "end" || kind === ";";
}

function merge(cursor: Cursor): Merge {
  const position = cursor.position();
  cursor.expectWord("MERGE");
  const pattern = patternPart(cursor);
  const actions: MergeAction[] = [];
  while (cursor.atWord("ON")) {
    const actionPosition = cursor.position();
    cursor.advance();
    const on = cursor.expectOneOf(["CREATE", "MATCH"]) === "CREATE" ? "create" : "match";
    cursor.expectWord("SET");
    actions.push({ kind: "MergeAction", position: actionPosition, on, items: setItems(cursor) });
  }
  return { kind: "Merge", position, pattern, actions };
}

function set(cursor: Cursor): SetClause {
  const position = cursor.position();
  cursor.expectWord("SET");
  return { kind: "Set", position, items: setItems(cursor) };
}

function setItems(cursor: Cursor): readonly SetItem[] {
  const items: SetItem[] = [];
  do {
    items.push(setItem(cursor));
  } while (cursor.accept(","));
  return items;
}

function setItem(cursor: Cursor): SetItem {
  const position = cursor.position();
  const target = changedThing(cursor);
  if (target.kind === "PropertyAccess" || target.kind === "Subscript") {
    cursor.expect("=");
    return { kind: "SetProperty", position, target, value: cursor.rules.expression(cursor) };
  }
  if (target.kind !== "Variable") {
    return cursor.fail();
  }
  const merges = cursor.accept("+=");
  if (merges || cursor.accept("=")) {
    return {
      kind: "SetProperties",
      position,
      variable: target,
      merge: merges,
      value: cursor.rules.expression(cursor),
    };
  }
  return { kind: "SetLabels", position, variable: target, labels: labelList(cursor) };
}

/**
 * What SET and REMOVE change: a variable, or a property of whatever an atom yields. In parentheses 2.3 wants a property
 * of it.
 */
function changedThing(cursor: Cursor): Expression {
  const isInParentheses = cursor.at("(");
  let thing: Expression = cursor.atName() && cursor.kindAhead(1) !== "(" ? variable(cursor) : atom(cursor);
  for (;;) {
    if (cursor.at(".")) {
      thing = propertyAccess(cursor, thing);
    } else if (cursor.isModern && cursor.at("[")) {
      thing = subscript(cursor, thing);
    } else {
      return isInParentheses && thing.kind === "Variable" && !cursor.isModern ? cursor.fail() : thing;
    }
  }
}

function remove(cursor: Cursor): Remove {
  const position = cursor.position();
  cursor.expectWord("REMOVE");
  const items: RemoveItem[] = [];
  do {
    items.push(removeItem(cursor));
  } while (cursor.accept(","));
  return { kind: "Remove", position, items };
}

function removeItem(cursor: Cursor): RemoveItem {
  const position = cursor.position();
  const target = changedThing(cursor);
  if (isProperty(target)) {
    return { kind: "RemoveProperty", position, target };
  }
  return target.kind === "Variable"
    ? { kind: "RemoveLabels", position, variable: target, labels: labelList(cursor) }
    : cursor.fail();
}

function isProperty(thing: Expression): thing is PropertyAccess | Subscript {
  return thing.kind === "PropertyAccess" || thing.kind === "Subscript";
}

/** `[DETACH | NODETACH] DELETE expressions`. */
function deleteClause(cursor: Cursor): Delete {
  const position = cursor.position();
  const detach = cursor.acceptWord("DETACH");
  if (cursor.isModern && !detach) {
    cursor.acceptWord("NODETACH");
  }
  cursor.expectWord("DELETE");
  const expressions: Expression[] = [];
  do {
    expressions.push(cursor.rules.expression(cursor));
  } while (cursor.accept(","));
  return { kind: "Delete", position, detach, expressions };
}

/** `FOREACH (x IN list | updating clauses)`. */
function foreach(cursor: Cursor): Foreach {
  const position = cursor.position();
  cursor.expectWord("FOREACH");
  cursor.expect("(");
  const element = variable(cursor);
  cursor.expectWord("IN");
  const list = cursor.withBars(true, () => cursor.rules.expression(cursor));
  cursor.expect("|");
  cursor.enter();
  const clauses: UpdatingClause[] = [];
  do {
    clauses.push(findUpdatingClause(cursor) ?? failInForeach(cursor));
  } while (!cursor.at(")"));
  cursor.leave();
  cursor.expect(")");
  return { kind: "Foreach", position, variable: element, list, clauses };
}

const READING_CLAUSES = ["MATCH", "OPTIONAL", "RETURN", "WITH", "UNWIND", "START", "LOAD", "CALL"];

function failInForeach(cursor: Cursor): never {
  const word = READING_CLAUSES.find((clause) => cursor.isWord(clause));
  if (word === undefined) {
    return cursor.fail();
  }
  const name = word === "OPTIONAL" ? "OPTIONAL MATCH" : word === "LOAD" ? "LOAD CSV" : word;
  throw cursor.error(`Invalid use of ${name} inside FOREACH`, cursor.position(), "InvalidClauseComposition");
}
