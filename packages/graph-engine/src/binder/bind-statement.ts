import { type Query, type Statement } from "@trefoil/cypher";
import { type ProcedureDefinition } from "../procedures/procedure.ts";
import { showAsQuery } from "./show-as-query.ts";
import { isShown, showColumns, showProcedure } from "./show-procedures.ts";
import { isTransactionCommand, shownTransactions, transactionProcedure } from "./show-transactions.ts";
import { BindContext, type Binders, type Catalogs, type LegacyIndexName } from "./bind-context.ts";
import { BindErrors } from "./bind-error.ts";
import { bindExpressionTree } from "./bind-expression.ts";
import { bindExpressionSubquery, bindQuery } from "./bind-query.ts";
import { bindUpdate } from "./bind-update.ts";
import { isUpdating } from "./clause-order.ts";
import { type BoundQuery } from "./bound-query.ts";

export interface BoundStatement {
  readonly query: BoundQuery;
  /** Parameters that must be there when the statement runs. */
  readonly parameters: ReadonlySet<string>;
  /** Arguments of `length()` that are no paths. */
  readonly lengthsOfOthers: BindContext["lengthsOfOthers"];
  /** Those of them that must be there for EXPLAIN, too. */
  readonly implicitArguments: ReadonlySet<string>;
  readonly legacyIndexes: readonly LegacyIndexName[];
}

/**
 * Gives every name of a statement its variable and every expression its type.
 *
 * @throws  QueryError, phase "compile time", for all that can be known to be wrong before a row is made
 */
export function bindStatement(statement: Statement, catalogs: Catalogs): BoundStatement {
  const errors = new BindErrors(statement.text);
  const { query: body, callable } = queryOf(statement, catalogs, errors);
  const context = new BindContext(statement.mode, errors, callable, BINDERS);
  context.commitEvery = periodOf(body, errors);
  const query = bindQuery(body, { context, outer: undefined, imported: [], form: "statement" });
  const [later] = context.laterErrors;
  if (later !== undefined) {
    throw later;
  }
  const { lengthsOfOthers, parameters, implicitArguments, legacyIndexes } = context;
  return { query, lengthsOfOthers, parameters, implicitArguments, legacyIndexes };
}

/** The query that a statement is, or stands for, and what it can call. */
function queryOf(
  { body }: Statement,
  catalogs: Catalogs,
  errors: BindErrors,
): { readonly query: Query; readonly callable: Catalogs } {
  if (body.kind === "Query") {
    return { query: body, callable: catalogs };
  }
  const calling = (procedure: ProcedureDefinition): Catalogs => ({
    ...catalogs,
    procedures: { find: () => procedure, names: () => [procedure.name] },
  });
  if (body.kind === "ShowCommand" && isShown(body.subject)) {
    const { position, subject, filter = "" } = body;
    const argument = { kind: "StringLiteral", position, value: filter } as const;
    const query = showAsQuery(body, { subject, columns: showColumns(subject), argument });
    return { query, callable: calling(showProcedure(subject, catalogs)) };
  }
  if (isTransactionCommand(body) && catalogs.transactions !== undefined) {
    const rows = shownTransactions(body);
    const procedure = transactionProcedure(rows.subject, catalogs.transactions);
    return { query: showAsQuery(body, rows), callable: calling(procedure) };
  }
  throw errors.unsupported("This administration command", body.position);
}

const BINDERS: Binders = {
  expression: bindExpressionTree,
  subquery: bindExpressionSubquery,
  update: bindUpdate,
};

/** 2.3 commits every 1,000 rows unless told. */
const DEFAULT_PERIOD = 1000;

/** After how many rows USING PERIODIC COMMIT commits. */
function periodOf({ first, periodicCommit }: Query, errors: BindErrors): number | undefined {
  if (periodicCommit === undefined) {
    return undefined;
  }
  if (!first.clauses.some(isUpdating)) {
    const message = "Cannot use periodic commit in a non-updating query";
    throw errors.syntax(message, periodicCommit.position, "InvalidClauseComposition");
  }
  const { batchSize } = periodicCommit;
  const size = batchSize === undefined ? DEFAULT_PERIOD : Number(batchSize.value);
  if (size <= 0) {
    throw errors.syntax(
      `Commit size error - expected positive value larger than zero, got ${size}`,
      batchSize?.position ?? periodicCommit.position,
      "InvalidArgumentValue",
    );
  }
  return size;
}
