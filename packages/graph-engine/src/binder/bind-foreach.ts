import { type Foreach } from "@trefoil/cypher";
import { type BindContext, bindExpression, typeMismatch, valuePlace } from "./bind-context.ts";
import { type BoundForeach } from "./bound-query.ts";
import { Scope } from "./scope.ts";
import { anyType, mayBe } from "./static-type.ts";
import { Variable } from "./variable.ts";

/** FOREACH: updates for each element; what they bring is gone behind it. */
export function bindForeach(clause: Foreach, scope: Scope, context: BindContext): BoundForeach {
  const list = bindExpression(clause.list, valuePlace(context, scope));
  if (!mayBe(list.type, "list")) {
    throw typeMismatch(context, context.mode === "2.3" ? "Collection<T>" : "List<T>", list.type, clause.list.position);
  }
  const variable = new Variable(clause.variable.name, list.type.kind === "list" ? list.type.element : anyType, true);
  const inner = Scope.of([variable], scope);
  return {
    kind: "Foreach",
    variable,
    list,
    clauses: clause.clauses.flatMap((each) => context.binders.update(each, inner, context)),
  };
}
