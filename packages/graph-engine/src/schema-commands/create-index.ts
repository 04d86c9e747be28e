import { type CreateIndex, type IndexType } from "@trefoil/cypher";
import {
  type IndexDefinition,
  type IndexKind,
  type IndexRequest,
  StoreError,
  type Transaction,
} from "@trefoil/graph-store";
import { type BindErrors } from "../binder/bind-error.ts";
import { type StatementContext } from "../runtime/statement-context.ts";
import { schemaName } from "./schema-names.ts";
import { type SchemaOperation } from "./schema-operation.ts";

/** The store's kinds by the words of the language; a b-tree was what range indexes are now. */
const kinds: Readonly<Record<Exclude<IndexType, "vector">, IndexKind>> = {
  default: "range",
  range: "range",
  btree: "range",
  text: "text",
  point: "point",
  lookup: "lookup",
  fulltext: "fulltext",
};

/**
 * `CREATE INDEX ON :L(p)` and `CREATE … INDEX name IF NOT EXISTS FOR … ON …`. One like it that is there already is an
 * error in the modern form, nothing to do in the 2.x form and with `IF NOT EXISTS` (rulings, Graph 2).
 */
export function createIndexOperation(command: CreateIndex, errors: BindErrors): SchemaOperation {
  const { type, entity, legacy } = command;
  if (type === "vector") {
    throw errors.unsupported("A vector index", command.position);
  }
  const isOfOneProperty = type === "text" || type === "point";
  if (isOfOneProperty && command.properties.length > 1) {
    throw errors.syntax(
      `Only single property ${type} indexes are supported`,
      command.position,
      "InvalidNumberOfArguments",
    );
  }
  const tokens = command.labels.map((label) => label.name);
  const properties = command.properties.map((property) => property.name);
  const isTolerant = legacy || command.ifNotExists;
  return {
    operator: "CreateIndex",
    details: `:${tokens.join("|")}(${properties.join(", ")})`,
    perform: async (statement) => {
      const name = schemaName(command.name, statement);
      const request: IndexRequest = { name, kind: kinds[type], entity, tokens, properties };
      await createIndex(request, isTolerant, statement);
    },
  };
}

async function createIndex(
  request: IndexRequest,
  isTolerant: boolean,
  { transaction }: StatementContext,
): Promise<void> {
  if (isTolerant && findAlike(request, transaction) !== undefined) {
    return;
  }
  try {
    await transaction.createIndex(request);
  } catch (error) {
    // Somebody made it while this transaction waited for the schema.
    const isThere =
      error instanceof StoreError &&
      error.code === "ClientError.Schema.IndexAlreadyExists" &&
      findAlike(request, transaction) !== undefined;
    if (!isTolerant || !isThere) {
      throw error;
    }
  }
}

/** One that already does what is asked for, or has the name. */
function findAlike(
  { name, kind, entity, tokens, properties }: IndexRequest,
  { schema }: Transaction,
): IndexDefinition | undefined {
  const isAlike = (index: IndexDefinition): boolean =>
    index.kind === kind &&
    index.entity === entity &&
    index.constraint === undefined &&
    sameNames(index.tokens, tokens) &&
    sameNames(index.properties, properties);
  return schema.indexes.find((index) => index.name === name || isAlike(index));
}

function sameNames(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((each) => right.includes(each));
}
