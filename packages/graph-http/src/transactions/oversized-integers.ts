import { type Mode } from "@trefoil/graph-engine";
import { GraphRequestError } from "../errors.ts";
import { type JsonValue } from "../json/json-reader.ts";
import { type StatementRequest } from "../protocol/statements-request.ts";

/**
 * Refuses parameters with integers beyond 64 bits, except in the 2.3 language, whose server gave an untouched parameter
 * back exactly (there the engine refuses every other use).
 *
 * @throws GraphRequestError `ClientError.Statement.InvalidArguments`
 * @source rulings, Graph 3
 */
export function refuseOversizedIntegers(
  { statement, parameters }: Pick<StatementRequest, "statement" | "parameters">,
  mode: Mode,
): void {
  if (mode === "2.3" || SELECTS_OLD_LANGUAGE.test(statement)) {
    return;
  }
  for (const [name, value] of parameters) {
    if (holdsOversizedInteger(value)) {
      throw new GraphRequestError(
        "ClientError.Statement.InvalidArguments",
        `Parameter ${name} holds an integer that does not fit into 64 bits`,
      );
    }
  }
}

const SELECTS_OLD_LANGUAGE = /^\s*CYPHER\s+(?:1\.9|2\.\d)\b/i;

/** Whether an integer beyond 64 bits is in a value. */
export function holdsOversizedInteger(value: JsonValue): boolean {
  if (typeof value === "bigint") {
    return BigInt.asIntN(64, value) !== value;
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).some(holdsOversizedInteger);
  }
  if (value instanceof Map) {
    for (const each of (value as ReadonlyMap<string, JsonValue>).values()) {
      if (holdsOversizedInteger(each)) {
        return true;
      }
    }
  }
  return false;
}
