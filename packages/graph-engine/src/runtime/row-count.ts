import { type Mode, QueryError } from "@trefoil/cypher";
import { refuseOversized } from "../values/arithmetic.ts";
import { describeJava } from "../values/legacy-text.ts";
import { typeError } from "../values/query-errors.ts";
import { describeType } from "../values/type-of.ts";
import { type Value } from "../values/value.ts";
import { isInteger, isNumber, toDouble } from "../values/value-kind.ts";

/**
 * The number of a SKIP or LIMIT.
 *
 * 2.3 takes any number: fractions are cut off, what is negative counts as 0 (golden "parameters").
 *
 * @throws  InvalidSyntax at run time for anything but an INTEGER from 0 (TCK); in 2.3 InvalidType for what is no number
 */
export function rowCount(value: Value, word: string, mode: Mode): number {
  if (mode === "2.3" && isNumber(value)) {
    refuseOversized(value);
    return Math.max(0, Math.trunc(toDouble(value)));
  }
  if (mode === "2.3") {
    const found = value === null ? "but got null" : `but got: ${describeJava(value)}`;
    throw typeError(`Expected a numeric value for ${word}, ${found}`);
  }
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
