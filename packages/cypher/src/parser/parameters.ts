import { type Parameter } from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";

/** `$name`, `` $`odd name` ``, `$0`, and, where a map cannot be meant, `{name}`. */
export function parameter(cursor: Cursor): Parameter {
  if (cursor.kind === "{") {
    return bracedParameter(cursor);
  }
  const position = cursor.position();
  cursor.expect("$");
  return { kind: "Parameter", position, name: parameterName(cursor), style: "dollar" };
}

export function startsParameter(cursor: Cursor): boolean {
  return cursor.kind === "$" || isBracedParameter(cursor);
}

/** `{name}` and `{0}`: unlike a map it has no colon. Numbers are 2.3's alone: the TCK wants `{1}` refused. */
export function isBracedParameter(cursor: Cursor): boolean {
  const isNamed = cursor.atName(1) || (!cursor.isModern && cursor.kindAhead(1) === "integer");
  return cursor.kind === "{" && isNamed && cursor.kindAhead(2) === "}";
}

export function bracedParameter(cursor: Cursor): Parameter {
  const position = cursor.position();
  cursor.expect("{");
  const name = parameterName(cursor);
  cursor.expect("}");
  return { kind: "Parameter", position, name, style: "braces" };
}

function parameterName(cursor: Cursor): string {
  if (cursor.kind !== "integer") {
    return cursor.name("a parameter name");
  }
  const name = cursor.tokenText;
  cursor.advance();
  return name;
}
