import { unreachable } from "@trefoil/base";
import { type SubqueryCall } from "./ast/clauses.ts";
import { type Prefix, type Query, type SingleQuery, type Statement, type StatementBody } from "./ast/statement.ts";
import { printClause } from "./printer/clauses.ts";
import { printAdministration, printSchemaCommand } from "./printer/commands.ts";
import { printExpression } from "./printer/expressions.ts";
import { printPath } from "./printer/patterns.ts";
import { printName, type Printing, words } from "./printer/printing.ts";

/**
 * A statement in a regular layout: a clause per line, keywords in capitals, one blank where blanks are wanted, blocks
 * of `CALL { … }` indented by two. Parsing the result gives the same tree; comments are lost. Columns without an alias
 * keep their text, since that is their name.
 */
export function printStatement(statement: Statement): string {
  const printing: Printing = {
    mode: statement.mode,
    expression: (expression, level) => printExpression(printing, expression, level),
    path: (path) => printPath(printing, path),
    query: (query) => queryLines(printing, query).join(" "),
  };
  return words(printPrefix(statement.prefix), printBody(printing, statement.body));
}

function printPrefix(prefix: Prefix): string {
  const isOldPlanner = (name: string): boolean => name === "planner" && prefix.deprecatedPlanner !== undefined;
  const options = prefix.options.filter(({ name }) => !isOldPlanner(name)).map(({ name, value }) => `${name}=${value}`);
  const oldPlanners = prefix.options.filter(({ name }) => isOldPlanner(name));
  return words(
    prefix.execution !== "normal" && prefix.execution.toUpperCase(),
    ...oldPlanners.map(({ value }) => `PLANNER ${value.toUpperCase()}`),
    (prefix.version !== undefined || options.length > 0) && words("CYPHER", prefix.version, ...options),
  );
}

function printBody(printing: Printing, body: StatementBody): string {
  switch (body.kind) {
    case "Query":
      return queryLines(printing, body).join("\n");
    case "CreateIndex":
    case "DropIndex":
    case "CreateConstraint":
    case "DropConstraint":
      return printSchemaCommand(printing, body);
    case "ShowCommand":
    case "TerminateTransactions":
      return printAdministration(printing, body);
    default:
      return unreachable(body);
  }
}

function queryLines(printing: Printing, query: Query): readonly string[] {
  const periodic = query.periodicCommit;
  return [
    ...(periodic === undefined ? [] : [words("USING PERIODIC COMMIT", periodic.batchSize?.value.toString())]),
    ...clauseLines(printing, query.first),
    ...query.unions.flatMap((union) => [words("UNION", union.all && "ALL"), ...clauseLines(printing, union.query)]),
  ];
}

function clauseLines(printing: Printing, query: SingleQuery): readonly string[] {
  return query.clauses.flatMap((clause) =>
    clause.kind === "SubqueryCall" ? subqueryBlock(printing, clause) : [printClause(printing, clause)],
  );
}

function subqueryBlock(printing: Printing, call: SubqueryCall): readonly string[] {
  const imports = call.imports === "all" ? "*" : call.imports?.map(({ name }) => printName(name)).join(", ");
  return [
    words(call.optional && "OPTIONAL", "CALL", imports !== undefined && `(${imports})`, "{"),
    ...queryLines(printing, call.query).map((line) => `  ${line}`),
    words("}", inTransactions(printing, call)),
  ];
}

function inTransactions(printing: Printing, { inTransactions: batches }: SubqueryCall): string | undefined {
  return (
    batches &&
    words(
      "IN",
      batches.concurrency && printing.expression(batches.concurrency),
      batches.concurrent && "CONCURRENT",
      "TRANSACTIONS",
      batches.batchSize && `OF ${printing.expression(batches.batchSize)} ROWS`,
      batches.onError && `ON ERROR ${batches.onError.toUpperCase()}`,
      batches.reportStatusAs && `REPORT STATUS AS ${printName(batches.reportStatusAs.name)}`,
    )
  );
}
