import { unreachable } from "@trefoil/base";
import {
  type ConstraintDefinition,
  type CreateIndex,
  type SchemaCommand,
  type ShowCommand,
  type TerminateTransactions,
} from "../ast/commands.ts";
import { type MapLiteral, type Name, type Parameter } from "../ast/expressions.ts";
import { printProjection } from "./clauses.ts";
import { printType } from "./expressions.ts";
import { printKey, printMap, printName, printParameter, type Printing, words } from "./printing.ts";

/** Commands on indexes and constraints. */
export function printSchemaCommand(printing: Printing, command: SchemaCommand): string {
  switch (command.kind) {
    case "CreateIndex":
      return createIndex(printing, command);
    case "DropIndex":
      return command.target.kind === "ByName"
        ? words("DROP INDEX", schemaName(command.target.name), command.target.ifExists && "IF EXISTS")
        : `DROP INDEX ON ${labelAndProperties(command.target.label, command.target.properties)}`;
    case "CreateConstraint": {
      const isOld = command.legacy;
      return words(
        "CREATE CONSTRAINT",
        command.name && schemaName(command.name),
        command.ifNotExists && "IF NOT EXISTS",
        constraint(command.definition, isOld),
        options(printing, command.options),
      );
    }
    case "DropConstraint":
      return command.target.kind === "ByName"
        ? words("DROP CONSTRAINT", schemaName(command.target.name), command.target.ifExists && "IF EXISTS")
        : `DROP CONSTRAINT ${constraint(command.target.definition, true)}`;
    default:
      return unreachable(command);
  }
}

function createIndex(printing: Printing, command: CreateIndex): string {
  const [label] = command.labels;
  if (command.legacy && label !== undefined) {
    return `CREATE INDEX ON ${labelAndProperties(label, command.properties)}`;
  }
  const labels = command.labels.length === 0 ? "" : `:${command.labels.map(({ name }) => printKey(name)).join("|")}`;
  const properties = command.properties.map(({ name }) => `x.${printKey(name)}`).join(", ");
  const isNode = command.entity === "node";
  return words(
    "CREATE",
    command.type !== "default" && command.type.toUpperCase(),
    "INDEX",
    command.name && schemaName(command.name),
    command.ifNotExists && "IF NOT EXISTS",
    `FOR ${isNode ? `(x${labels})` : `()-[x${labels}]-()`} ON`,
    command.type === "lookup" && `EACH ${isNode ? "labels" : "type"}(x)`,
    command.type === "fulltext" && `EACH [${properties}]`,
    command.type !== "lookup" && command.type !== "fulltext" && `(${properties})`,
    options(printing, command.options),
  );
}

function labelAndProperties(label: Name, properties: readonly Name[]): string {
  return `:${printKey(label.name)}(${properties.map(({ name }) => printKey(name)).join(", ")})`;
}

function schemaName(name: Name | Parameter): string {
  return name.kind === "Parameter" ? printParameter(name) : printName(name.name);
}

function options(printing: Printing, given: MapLiteral | Parameter | undefined): string | undefined {
  return given && `OPTIONS ${printMap(printing, given)}`;
}

function constraint(definition: ConstraintDefinition, isOld: boolean): string {
  const variable = printName(definition.variable.name);
  const described = `${variable}:${printKey(definition.label.name)}`;
  const entity = definition.entity === "node" ? `(${described})` : `()-[${described}]-()`;
  const list = definition.properties.map(({ name }) => `${variable}.${printKey(name)}`).join(", ");
  const properties = definition.properties.length === 1 ? list : `(${list})`;
  const head = isOld ? `ON ${entity} ASSERT` : `FOR ${entity} REQUIRE`;
  return isOld && definition.requirement.kind === "Exists"
    ? `${head} exists(${properties})`
    : `${head} ${properties} ${requirement(definition)}`;
}

function requirement({ requirement: required }: ConstraintDefinition): string {
  switch (required.kind) {
    case "Unique":
      return "IS UNIQUE";
    case "Exists":
      return "IS NOT NULL";
    case "NodeKey":
      return "IS NODE KEY";
    case "RelationshipKey":
      return "IS RELATIONSHIP KEY";
    case "Typed":
      return `IS :: ${printType(required.type)}`;
    default:
      return unreachable(required);
  }
}

export function printAdministration(printing: Printing, command: ShowCommand | TerminateTransactions): string {
  const ids = command.ids.map((id) => printing.expression(id)).join(", ");
  const outcome = words(
    command.yield && `YIELD ${printProjection(printing, command.yield)}`,
    command.where && `WHERE ${printing.expression(command.where)}`,
    command.return && `RETURN ${printProjection(printing, command.return)}`,
  );
  if (command.kind === "TerminateTransactions") {
    return words("TERMINATE TRANSACTIONS", ids, outcome);
  }
  const executable =
    command.executableBy === undefined
      ? undefined
      : words("EXECUTABLE", command.executableBy !== "" && `BY ${printName(command.executableBy)}`);
  return words("SHOW", command.filter, command.subject.toUpperCase(), executable, ids, outcome);
}
