import { type Query, type SubqueryCall } from "@trefoil/cypher";
import { alreadyDeclared, type BindContext, undefinedVariable } from "./bind-context.ts";
import { type QueryPlace } from "./bind-query.ts";
import { type BoundQuery, type BoundSubqueryCall } from "./bound-query.ts";
import { type Scope } from "./scope.ts";
import { type Variable } from "./variable.ts";

/** `CALL { … }` and `CALL (x, y) { … }`: run for every row; without RETURN for its effects alone. */
export function bindSubqueryCall(
  clause: SubqueryCall,
  scope: Scope,
  context: BindContext,
  bindQuery: (query: Query, place: QueryPlace) => BoundQuery,
): BoundSubqueryCall {
  if (clause.inTransactions !== undefined) {
    throw context.errors.unsupported("CALL { … } IN TRANSACTIONS", clause.inTransactions.position);
  }
  const query = bindQuery(clause.query, {
    context,
    outer: undefined,
    imported: importedVariables(clause, scope, context),
    form: "call subquery",
  });
  for (const column of query.columns) {
    if (scope.find(column.name) !== undefined) {
      throw alreadyDeclared(context, column.name, clause.position);
    }
  }
  query.columns.forEach((column) => {
    scope.declare(column);
  });
  return { kind: "SubqueryCall", query, optional: clause.optional };
}

/** With a scope clause what it names, else what the leading WITH can choose from. */
function importedVariables(clause: SubqueryCall, scope: Scope, context: BindContext): readonly Variable[] {
  if (clause.imports === "all") {
    return scope.variables();
  }
  if (clause.imports === undefined) {
    const startsWithImport = clause.query.first.clauses[0]?.kind === "With";
    return startsWithImport ? scope.variables() : [];
  }
  return clause.imports.map(({ name, position }) => {
    const variable = scope.find(name);
    if (variable === undefined) {
      throw undefinedVariable(context, name, position);
    }
    return variable;
  });
}
