import { type DropIndex, QueryError } from "@trefoil/cypher";
import { type IndexDefinition } from "@trefoil/graph-store";
import { schemaName } from "./schema-names.ts";
import { type SchemaOperation } from "./schema-operation.ts";

/** `DROP INDEX ON :L(p)` and `DROP INDEX name IF EXISTS`. */
export function dropIndexOperation({ target }: DropIndex): SchemaOperation {
  if (target.kind === "ByName") {
    return {
      operator: "DropIndex",
      details: "",
      perform: async (statement) => {
        const name = schemaName(target.name, statement) ?? "";
        if (!target.ifExists || statement.transaction.schema.findIndex(name) !== undefined) {
          await statement.transaction.dropIndex(name);
        }
      },
    };
  }
  const label = target.label.name;
  const properties = target.properties.map((property) => property.name);
  const what = `:${label}(${properties.join(", ")})`;
  return {
    operator: "DropIndex",
    details: what,
    perform: async ({ transaction }) => {
      await transaction.lockSchema();
      const index = transaction.schema.indexOn("node", label, properties);
      await transaction.dropIndex(checked(index, what).name);
    },
  };
}

/** The words of 2.3 for what cannot be dropped (graph-measured). */
function checked(index: IndexDefinition | undefined, what: string): IndexDefinition {
  if (index === undefined) {
    throw failure(`Unable to drop index on ${what}: No such INDEX ON ${what}.`);
  }
  if (index.constraint !== undefined) {
    throw failure(`Unable to drop index on ${what}: Index belongs to constraint: ${what}`);
  }
  return index;
}

function failure(message: string): QueryError {
  return new QueryError("DatabaseError.Schema.IndexDropFailure", message, { phase: "runtime" });
}
