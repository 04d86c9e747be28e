import { type Mode } from "@trefoil/cypher";
import { describeJava } from "../values/legacy-text.ts";
import { argumentError, executionFailure, typeError } from "../values/query-errors.ts";
import { describeType } from "../values/type-of.ts";
import { type ListValue, type NumberValue, type Value } from "../values/value.ts";
import { isInteger, isList, isNumber, toDouble } from "../values/value-kind.ts";

/** The refusal of an argument whose type shows only at run time (TCK: TypeError, InvalidArgumentValue). */
export function invalidArgument(name: string, expected: string, value: Value): Error {
  return typeError(
    `Invalid input for ${name}(): expected ${expected} but was ${describeType(value)}`,
    "InvalidArgumentValue",
  );
}

/** A string argument. @throws InvalidType */
export function stringArgument(value: Value, name: string, mode: Mode): string {
  if (typeof value === "string") {
    return value;
  }
  throw mode === "modern"
    ? invalidArgument(name, "a STRING", value)
    : typeError(
        `Expected a string value for ${name}(), but got: ${describeJava(value)}; perhaps you'd like to cast to a string it with str().`,
      );
}

/** A number argument. @throws InvalidType */
export function numberArgument(value: Value, name: string, mode: Mode): NumberValue {
  if (isNumber(value)) {
    return value;
  }
  throw mode === "modern"
    ? invalidArgument(name, "a number", value)
    : typeError(`Expected a numeric value for ${name}(), but got: ${describeJava(value)}`);
}

/** A whole number argument as a double; 2.3 cuts FLOATs. @throws InvalidType */
export function wholeArgument(value: Value, name: string, mode: Mode): number {
  if (mode === "modern" && value !== null && !isInteger(value)) {
    throw invalidArgument(name, "an INTEGER", value);
  }
  return Math.trunc(toDouble(numberArgument(value, name, mode)));
}

/**
 * A length or position, which may not be negative; of an INTEGER 2.3 takes the lower 32 bits.
 *
 * @throws InvalidType, InvalidArguments (2.3: ExecutionFailure)
 */
export function positionArgument(value: Value, name: string, mode: Mode): number {
  const whole = wholeArgument(value, name, mode);
  const position = mode === "2.3" && isInteger(value) ? Number(BigInt.asIntN(32, BigInt(value))) : whole;
  if (position >= 0) {
    return position;
  }
  const message = `${name}() takes no negative position or length, but got ${position}`;
  throw mode === "modern" ? argumentError(message, "NumberOutOfRange") : executionFailure(message);
}

/** A list argument; in 2.3 anything else is a list of itself. @throws InvalidType */
export function listArgument(value: Value, name: string, mode: Mode): ListValue {
  if (isList(value)) {
    return value;
  }
  if (mode === "2.3") {
    return [value];
  }
  throw invalidArgument(name, "a LIST", value);
}
