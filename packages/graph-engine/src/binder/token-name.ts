import { QueryError } from "@trefoil/cypher";

/**
 * Labels, relationship types and property keys that are to be stored need a name.
 *
 * @throws  Schema.IllegalTokenName for the empty one
 */
export function checkTokenName(name: string): void {
  if (name === "") {
    throw new QueryError(
      "ClientError.Schema.IllegalTokenName",
      "'' is not a valid token name. Only non-null, non-empty strings are allowed.",
      { phase: "compile time" },
    );
  }
}
