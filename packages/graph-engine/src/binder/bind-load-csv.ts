import { type LoadCsv } from "@trefoil/cypher";
import { alreadyDeclared, type BindContext, bindExpression, typeMismatch, valuePlace } from "./bind-context.ts";
import { type BoundLoadCsv } from "./bound-query.ts";
import { type Scope } from "./scope.ts";
import { listOf, mapType, mayBe, stringType } from "./static-type.ts";
import { Variable } from "./variable.ts";

/** LOAD CSV: each row of the file is a list of texts, with headers a map of them (cypher.md §2.1). */
export function bindLoadCsv(clause: LoadCsv, scope: Scope, context: BindContext): BoundLoadCsv {
  const url = bindExpression(clause.url, valuePlace(context, scope));
  if (!mayBe(url.type, "string")) {
    throw typeMismatch(context, "String", url.type, clause.url.position);
  }
  const fieldTerminator = clause.fieldTerminator?.value ?? ",";
  if (fieldTerminator.length !== 1) {
    throw context.errors.syntax(
      "CSV field terminator can only be one character wide",
      clause.fieldTerminator?.position ?? clause.position,
      "InvalidArgumentValue",
    );
  }
  const { name, position } = clause.variable;
  if (scope.find(name) !== undefined) {
    throw alreadyDeclared(context, name, position);
  }
  const { withHeaders } = clause;
  const variable = new Variable(name, withHeaders ? mapType : listOf(stringType), false);
  scope.declare(variable);
  return { kind: "LoadCsv", url, variable, withHeaders, fieldTerminator, commitEvery: takePeriod(context) };
}

/** The first LOAD CSV counts the rows, those inside it do not. */
function takePeriod(context: BindContext): number | undefined {
  const { commitEvery } = context;
  context.commitEvery = undefined;
  return commitEvery;
}
