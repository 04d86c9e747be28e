import { type Name, type Parameter, QueryError } from "@trefoil/cypher";
import { type StatementContext } from "../runtime/statement-context.ts";

/** The name of an index or constraint as written, or as its parameter says. */
export function schemaName(name: Name | Parameter | undefined, { parameters }: StatementContext): string | undefined {
  if (name === undefined || name.kind === "Name") {
    return name?.name;
  }
  const value = parameters.get(name.name);
  if (typeof value !== "string" || value === "") {
    throw new QueryError(
      "ClientError.Statement.InvalidType",
      `Expected parameter $${name.name} to be the name of an index or constraint`,
      { phase: "runtime", tckDetail: "InvalidArgumentType" },
    );
  }
  return value;
}
