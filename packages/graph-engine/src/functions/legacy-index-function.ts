import { QueryError } from "@trefoil/cypher";
import { LuceneSyntaxError } from "@trefoil/graph-store";
import { typeError } from "../values/query-errors.ts";
import { describeType } from "../values/type-of.ts";
import { type FunctionDefinition } from "./function-definition.ts";

/**
 * What `START n=node:index(key='value')` and `node:index('query')` look up: the ids a legacy index has. No statement can
 * name this function.
 *
 * @param key  undefined: the argument is a query
 */
export function legacyIndexFunction(
  entity: "node" | "relationship",
  index: string,
  key: string | undefined,
): FunctionDefinition {
  return {
    name: `${entity}:${index}`,
    description: "",
    synonyms: [],
    modes: ["modern", "2.3"],
    parameters: [{ name: "value", types: ["any"], optional: false }],
    variadic: false,
    returns: "list",
    checkedAtRuntime: true,
    aggregate: false,
    nullInNullOut: false,
    deterministic: false,
    namesArgument: false,
    call: ({ transaction, view }, value = null) => {
      const legacyIndexes = transaction?.legacyIndexes;
      if (legacyIndexes === undefined) {
        return [];
      }
      if (typeof value !== "string" && key === undefined) {
        throw typeError(`Expected the query to be a String, but it was a ${describeType(value)}`);
      }
      const text = typeof value === "object" ? JSON.stringify(value) : String(value);
      const exists = (id: number): boolean =>
        entity === "node"
          ? id < view.nodeIdLimit && view.nodeExists(id)
          : id < view.relationshipIdLimit && view.relationshipExists(id);
      try {
        const ids =
          key === undefined
            ? legacyIndexes.query(entity, index, text).map(({ id }) => id)
            : legacyIndexes.get(entity, index, key, text);
        return ids.filter(exists);
      } catch (error) {
        throw error instanceof LuceneSyntaxError ? unreadable(error) : error;
      }
    },
  };
}

function unreadable(cause: LuceneSyntaxError): QueryError {
  const message = `org.apache.lucene.queryParser.ParseException: ${cause.message}`;
  return new QueryError("DatabaseError.Statement.ExecutionFailure", message, { phase: "runtime", cause });
}
