import { type Name, type Variable } from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";

export function variable(cursor: Cursor): Variable {
  const position = cursor.position();
  return { kind: "Variable", position, name: cursor.name("an identifier") };
}

/** A name that is neither variable nor label, such as an index's; `what` names it in errors. */
export function nameOf(cursor: Cursor, what: string): Name {
  const position = cursor.position();
  return { kind: "Name", position, name: cursor.name(what) };
}
