import { type Unwind } from "@trefoil/cypher";
import { alreadyDeclared, type BindContext, bindExpression, typeMismatch, valuePlace } from "./bind-context.ts";
import { type BoundUnwind } from "./bound-query.ts";
import { type Scope } from "./scope.ts";
import { anyType, mayBe, type StaticType } from "./static-type.ts";
import { Variable } from "./variable.ts";

/** UNWIND. In 2.3 what is known not to be a list is refused, later it is one row. */
export function bindUnwind(clause: Unwind, scope: Scope, context: BindContext): BoundUnwind {
  const list = bindExpression(clause.list, valuePlace(context, scope));
  if (context.mode === "2.3" && !mayBe(list.type, "list")) {
    throw typeMismatch(context, "Collection<T>", list.type, clause.list.position);
  }
  if (scope.find(clause.variable.name) !== undefined) {
    throw alreadyDeclared(context, clause.variable.name, clause.variable.position);
  }
  const variable = new Variable(clause.variable.name, elementType(list.type), true);
  scope.declare(variable);
  return { kind: "Unwind", list, variable };
}

function elementType(type: StaticType): StaticType {
  return type.kind === "list" ? type.element : anyType;
}
