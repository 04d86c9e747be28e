import { type Delete } from "@trefoil/cypher";
import { type BindContext, bindExpression, typeMismatch, valuePlace } from "./bind-context.ts";
import { type BoundDelete } from "./bound-query.ts";
import { type Scope } from "./scope.ts";
import { mayBe } from "./static-type.ts";

/** DELETE and DETACH DELETE of nodes, relationships and paths. */
export function bindDelete(clause: Delete, scope: Scope, context: BindContext): BoundDelete {
  const expressions = clause.expressions.map((expression) => {
    if (expression.kind === "LabelPredicate") {
      throw context.errors.syntax(
        "DELETE doesn't support removing labels from a node. Try REMOVE.",
        expression.position,
        "InvalidDelete",
      );
    }
    const bound = bindExpression(expression, valuePlace(context, scope));
    if (!mayBe(bound.type, "node", "relationship", "path")) {
      throw typeMismatch(context, "Node, Path or Relationship", bound.type, expression.position);
    }
    return bound;
  });
  return { kind: "Delete", detach: clause.detach, expressions };
}
