import { type SchemaCommand, type Statement } from "@trefoil/cypher";
import { BindErrors } from "../binder/bind-error.ts";
import { type PreparedStatement } from "../runtime/prepared-statement.ts";
import { createConstraintOperation, dropConstraintOperation } from "./constraint-operations.ts";
import { createIndexOperation } from "./create-index.ts";
import { dropIndexOperation } from "./drop-index.ts";
import { runOf, type SchemaOperation } from "./schema-operation.ts";

/**
 * A command on indexes or constraints, ready to run: no plan, one operation.
 *
 * @throws  QueryError of phase "compile time"
 */
export function prepareSchemaCommand(statement: Statement, command: SchemaCommand): PreparedStatement {
  const operation = operationOf(statement, command);
  return {
    statement,
    columns: [],
    queryType: "s",
    mode: statement.mode,
    execution: statement.prefix.execution,
    parameters: parametersOf(command),
    implicitArguments: new Set(),
    legacyIndexes: [],
    notifications: () => [],
    run: runOf(operation),
    operatorCount: 1,
    startsAtOnce: true,
    beginsLate: false,
    isMovable: false,
    readsRelationships: isOfRelationships(command),
    split: () => undefined,
    commitsPeriodically: false,
    isStale: () => false,
    describe: (rows) => ({
      operator: operation.operator,
      details: operation.details,
      variables: [],
      estimatedRows: 1,
      rows: rows === undefined ? undefined : 0,
      children: [],
    }),
    source: "",
  };
}

function operationOf(statement: Statement, command: SchemaCommand): SchemaOperation {
  const errors = new BindErrors(statement.text);
  switch (command.kind) {
    case "CreateIndex":
      return createIndexOperation(command, errors);
    case "DropIndex":
      return dropIndexOperation(command);
    case "CreateConstraint":
      return createConstraintOperation(command, statement.mode, errors);
    case "DropConstraint":
      return dropConstraintOperation(command, errors);
  }
}

/** Whether an index is filled, or a constraint checked, with relationships that are there. */
function isOfRelationships(command: SchemaCommand): boolean {
  switch (command.kind) {
    case "CreateIndex":
      return command.entity === "relationship";
    case "CreateConstraint":
      return command.definition.entity === "relationship";
    default:
      return false;
  }
}

function parametersOf(command: SchemaCommand): ReadonlySet<string> {
  const name =
    command.kind === "CreateIndex" || command.kind === "CreateConstraint"
      ? command.name
      : command.target.kind === "ByName"
        ? command.target.name
        : undefined;
  return new Set(name?.kind === "Parameter" ? [name.name] : []);
}
