import { QueryError } from "@trefoil/cypher";
import { describeType } from "../values/type-of.ts";
import { type Value } from "../values/value.ts";
import { isInteger } from "../values/value-kind.ts";

/**
 * The number of a SKIP or LIMIT.
 *
 * @throws  InvalidSyntax at run time for anything but an INTEGER from 0 (TCK)
 */
export function rowCount(value: Value, word: string): number {
  if (!isInteger(value)) {
    throw invalid(`${word}: expected an integer but was ${describeType(value)}`, "InvalidArgumentType");
  }
  const count = Number(value);
  if (count < 0) {
    throw invalid(
      `Invalid input. '${String(value)}' is not a valid value. Must be a non-negative integer.`,
      "NegativeIntegerArgument",
    );
  }
  return count;
}

function invalid(message: string, tckDetail: string): QueryError {
  return new QueryError("ClientError.Statement.InvalidSyntax", message, { phase: "runtime", tckDetail });
}
