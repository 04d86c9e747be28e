import { type Expression } from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";
import { labelExpression } from "./labels.ts";
import { asValue } from "./pattern-lookahead.ts";

const MAXIMUM_POSTFIXES = 1000;

/** `.key`, `:Label`, `[i]` and `[a..b]` behind an atom, in any order. */
export function postfixed(cursor: Cursor, atom: Expression): Expression {
  let subject = propertiesAndLabels(cursor, atom);
  while (cursor.at("[")) {
    subject = propertiesAndLabels(cursor, subscript(cursor, asValue(cursor, subject)));
  }
  return subject;
}

/** `.key` and `:Label` only: all that 2.3 lets follow an atom directly. */
export function propertiesAndLabels(cursor: Cursor, atom: Expression): Expression {
  let subject = atom;
  for (let length = 1; ; length += 1) {
    if (length > MAXIMUM_POSTFIXES) {
      throw cursor.error(`More than ${MAXIMUM_POSTFIXES} property accesses in a row`);
    }
    if (cursor.at(".")) {
      subject = propertyAccess(cursor, asValue(cursor, subject));
    } else if (cursor.at(":")) {
      const position = cursor.position();
      cursor.advance();
      subject = {
        kind: "LabelPredicate",
        position,
        operand: asValue(cursor, subject),
        labels: labelExpression(cursor),
      };
    } else {
      return subject;
    }
  }
}

export function propertyAccess(cursor: Cursor, subject: Expression): Expression {
  cursor.advance();
  const position = cursor.position();
  const key = cursor.name("a property key name");
  // Suffixes of Cypher 1.x, which 2.3 refuses with an explanation.
  if (cursor.kind === "?" || cursor.kind === "!") {
    const advice =
      cursor.kind === "?"
        ? ` Please use (not(has(<ident>.${key})) OR <ident>.${key}=<value>) if you really need the old behavior.`
        : "";
    const message = `This syntax is no longer supported (missing properties are now returned as null).${advice}`;
    throw cursor.error(message, position, "UnexpectedSyntax");
  }
  return { kind: "PropertyAccess", position, subject, key };
}

/** `[i]`, `[a..b]`, `[a..]`, `[..b]`, and in modern Cypher `[..]`. */
export function subscript(cursor: Cursor, subject: Expression): Expression {
  const opening = cursor.position();
  cursor.advance();
  return cursor.withBars(false, () => {
    const index = cursor.at("..") ? undefined : cursor.rules.expression(cursor);
    // 2.3 points at the closing bracket.
    if (index !== undefined && cursor.at("]")) {
      const position = cursor.isModern ? opening : cursor.position();
      cursor.advance();
      return { kind: "Subscript", position, subject, index };
    }
    cursor.expect("..");
    const to = cursor.at("]") ? undefined : cursor.rules.expression(cursor);
    const position = cursor.isModern ? opening : cursor.position();
    if (!cursor.isModern && index === undefined && to === undefined && cursor.at("]")) {
      const message = "The start or end (or both) is required for a collection slice";
      throw cursor.error(message, position, "UnexpectedSyntax");
    }
    cursor.expect("]");
    return { kind: "Slice", position, subject, from: index, to };
  });
}
