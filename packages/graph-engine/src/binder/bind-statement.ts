import { type Statement } from "@trefoil/cypher";
import { BindContext, type Catalogs } from "./bind-context.ts";
import { BindErrors } from "./bind-error.ts";
import { bindExpressionTree } from "./bind-expression.ts";
import { bindExpressionSubquery, bindQuery } from "./bind-query.ts";
import { bindUpdate } from "./bind-update.ts";
import { type BoundQuery } from "./bound-query.ts";

export interface BoundStatement {
  readonly query: BoundQuery;
  /** Parameters that must be there when the statement runs. */
  readonly parameters: ReadonlySet<string>;
}

/**
 * Gives every name of a statement its variable and every expression its type.
 *
 * @throws  QueryError, phase "compile time", for all that can be known to be wrong before a row is made
 */
export function bindStatement(statement: Statement, catalogs: Catalogs): BoundStatement {
  const errors = new BindErrors(statement.text);
  const context = new BindContext(statement.mode, errors, catalogs, {
    expression: bindExpressionTree,
    subquery: bindExpressionSubquery,
    update: bindUpdate,
  });
  const { body } = statement;
  if (body.kind !== "Query") {
    throw errors.unsupported("A schema or administration command", body.position);
  }
  if (body.periodicCommit !== undefined) {
    throw errors.unsupported("USING PERIODIC COMMIT", body.periodicCommit.position);
  }
  const query = bindQuery(body, { context, outer: undefined, imported: [], form: "statement" });
  return { query, parameters: context.parameters };
}
