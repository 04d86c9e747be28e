import {
  type ConstraintDefinition as DefinitionNode,
  type CreateConstraint,
  type DropConstraint,
  type Mode,
  QueryError,
} from "@trefoil/cypher";
import {
  type ConstraintDefinition,
  type ConstraintKind,
  type ConstraintRequest,
  constraintText,
  StoreError,
  type Transaction,
} from "@trefoil/graph-store";
import { type BindErrors } from "../binder/bind-error.ts";
import { type StatementContext } from "../runtime/statement-context.ts";
import { schemaName } from "./schema-names.ts";
import { type SchemaOperation } from "./schema-operation.ts";

/**
 * `CREATE CONSTRAINT ON … ASSERT …` and `CREATE CONSTRAINT name IF NOT EXISTS FOR … REQUIRE …`. One like it that is
 * there already is an error in the modern form, nothing to do in the 2.x form and with `IF NOT EXISTS`.
 */
export function createConstraintOperation(command: CreateConstraint, mode: Mode, errors: BindErrors): SchemaOperation {
  const request = requestOf(command.definition, errors);
  const isTolerant = command.legacy || command.ifNotExists;
  const text = constraintText({ ...request, name: "" });
  return {
    operator: "ConstraintOperation",
    details: text,
    perform: async (statement) => {
      if (mode === "2.3" && request.kind !== "unique") {
        // The 2.3 server the answers are taken from keeps these to another edition (golden "schema-cypher").
        throw new QueryError("DatabaseError.Schema.ConstraintCreationFailure", `Unable to create ${text}`, {
          phase: "runtime",
        });
      }
      await createConstraint({ ...request, name: schemaName(command.name, statement) }, isTolerant, statement);
    },
  };
}

/** `DROP CONSTRAINT ON … ASSERT …` and `DROP CONSTRAINT name IF EXISTS`. */
export function dropConstraintOperation({ target }: DropConstraint, errors: BindErrors): SchemaOperation {
  const operator = "ConstraintOperation";
  if (target.kind === "ByName") {
    return {
      operator,
      details: "",
      perform: async (statement) => {
        const name = schemaName(target.name, statement) ?? "";
        if (!target.ifExists || statement.transaction.schema.findConstraint(name) !== undefined) {
          await statement.transaction.dropConstraint(name);
        }
      },
    };
  }
  const request = requestOf(target.definition, errors);
  const text = constraintText({ ...request, name: "" });
  return {
    operator,
    details: text,
    perform: async ({ transaction }) => {
      await transaction.lockSchema();
      const { entity, token, properties, kind } = request;
      const constraint = transaction.schema.constraintsOn(entity, token, properties).find((each) => each.kind === kind);
      if (constraint === undefined) {
        throw new QueryError(
          "DatabaseError.Schema.ConstraintDropFailure",
          `Unable to drop ${text}:\nNo such constraint ${text}.`,
          { phase: "runtime" },
        );
      }
      await transaction.dropConstraint(constraint.name);
    },
  };
}

async function createConstraint(
  request: ConstraintRequest,
  isTolerant: boolean,
  { transaction }: StatementContext,
): Promise<void> {
  if (isTolerant && findAlike(request, transaction) !== undefined) {
    return;
  }
  try {
    await transaction.createConstraint(request);
  } catch (error) {
    // Somebody made it while this transaction waited for the schema.
    const isThere =
      error instanceof StoreError &&
      error.code === "ClientError.Schema.ConstraintAlreadyExists" &&
      findAlike(request, transaction) !== undefined;
    if (!isTolerant || !isThere) {
      throw error;
    }
  }
}

function findAlike(
  { name, kind, entity, token, properties }: ConstraintRequest,
  { schema }: Transaction,
): ConstraintDefinition | undefined {
  return (
    (name === undefined ? undefined : schema.findConstraint(name)) ??
    schema.constraintsOn(entity, token, properties).find((each) => each.kind === kind)
  );
}

function requestOf(
  { entity, label, properties, requirement, position }: DefinitionNode,
  errors: BindErrors,
): Omit<ConstraintDefinition, "name"> {
  const names = properties.map((property) => property.name);
  const kind = kindOf(requirement.kind);
  if (kind === undefined) {
    throw errors.unsupported("A constraint on the type of a property", position);
  }
  const isKeyOfOther =
    (requirement.kind === "NodeKey" && entity !== "node") ||
    (requirement.kind === "RelationshipKey" && entity === "node");
  if (isKeyOfOther || (kind === "exists" && names.length > 1)) {
    throw errors.syntax("This constraint cannot be made of this pattern", position, "InvalidArgumentType");
  }
  return { kind, entity, token: label.name, properties: names };
}

function kindOf(requirement: DefinitionNode["requirement"]["kind"]): ConstraintKind | undefined {
  switch (requirement) {
    case "Unique":
      return "unique";
    case "Exists":
      return "exists";
    case "NodeKey":
    case "RelationshipKey":
      return "key";
    case "Typed":
      return undefined;
  }
}
