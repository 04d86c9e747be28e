import { DurationValue, floatOf, integerOf, WholeFloat } from "@trefoil/graph-store";
import { describeJava } from "./legacy-text.ts";
import { type Mode } from "@trefoil/cypher";
import { argumentError, arithmeticError, typeError } from "./query-errors.ts";
import { describeType } from "./type-of.ts";
import { type NumberValue, type Value } from "./value.ts";
import { type Fraction, fractionOf, inverse, timesDuration, whole } from "./temporal/duration.ts";
import { addDuration } from "./temporal/temporal-arithmetic.ts";
import { isInteger, isNumber, isTemporal, toDouble } from "./value-kind.ts";

const INTEGER_MIN = -(2n ** 63n);
const INTEGER_MAX = 2n ** 63n - 1n;

/** How 2.3 names an operator in its messages, and how Cypher writes it. */
type Operator = readonly [legacyName: string, symbol: string];

const SUBTRACT: Operator = ["Subtract", "-"];
const MULTIPLY: Operator = ["Multiply", "*"];
const DIVIDE: Operator = ["Divide", "/"];
const MODULO: Operator = ["Modulo", "%"];
const POWER: Operator = ["Pow", "^"];

/**
 * `left - right`. INTEGERs stay exact over all 64 bits; with a FLOAT on either side the result is one; null gives null.
 *
 * @throws InvalidType for anything but numbers; ArithmeticError beyond 64 bits (2.3 wraps around instead)
 * @source cypher.md §4.4, rulings Graph 2
 */
export function subtract(left: Value, right: Value, mode: Mode): Value {
  if (typeof left === "number" && typeof right === "number") {
    const result = left - right;
    if (Number.isSafeInteger(left) && Number.isSafeInteger(right)) {
      return Number.isSafeInteger(result) ? result : integerResult(BigInt(left) - BigInt(right), mode, SUBTRACT);
    }
    return floatOf(result);
  }
  return numericOperation(
    left,
    right,
    mode,
    SUBTRACT,
    (a, b) => a - b,
    (a, b) => a - b,
  );
}

/** `left * right`, as {@link subtract}. */
export function multiply(left: Value, right: Value, mode: Mode): Value {
  if (typeof left === "number" && typeof right === "number") {
    const result = left * right;
    if (Number.isSafeInteger(left) && Number.isSafeInteger(right)) {
      // Adding 0 turns the -0 of `0 * -1` into 0: an INTEGER has no sign there.
      return Number.isSafeInteger(result) ? result + 0 : integerResult(BigInt(left) * BigInt(right), mode, MULTIPLY);
    }
    return floatOf(result);
  }
  return numericOperation(
    left,
    right,
    mode,
    MULTIPLY,
    (a, b) => a * b,
    (a, b) => a * b,
  );
}

/**
 * `left / right`; two INTEGERs divide towards zero.
 *
 * @throws ArithmeticError "/ by zero" for INTEGERs; in 2.3 for every divisor equal to 0. Besides as {@link subtract}
 */
export function divide(left: Value, right: Value, mode: Mode): Value {
  if (mode === "2.3" && isNumber(left) && isNumber(right) && toDouble(right) === 0) {
    throw arithmeticError("/ by zero");
  }
  if (typeof left === "number" && typeof right === "number" && areIntegers(left, right) && right !== 0) {
    return Math.trunc(left / right) + 0;
  }
  return numericOperation(left, right, mode, DIVIDE, divideIntegers, (a, b) => a / b);
}

/** `left % right` with the sign of the dividend; ArithmeticError "/ by zero" for INTEGERs only. Else as {@link subtract}. */
export function modulo(left: Value, right: Value, mode: Mode): Value {
  if (typeof left === "number" && typeof right === "number" && areIntegers(left, right) && right !== 0) {
    return (left % right) + 0;
  }
  return numericOperation(left, right, mode, MODULO, remainderOfIntegers, (a, b) => a % b);
}

/** `left ^ right`: always a FLOAT. */
export function power(left: Value, right: Value, mode: Mode): Value {
  if (left === null || right === null) {
    return null;
  }
  const [base, exponent] = numbers(left, right, mode, POWER);
  return floatOf(toDouble(base) ** toDouble(exponent));
}

/** `-value`, which is `0 - value` in 2.3: there is no negative zero then. */
export function negate(value: Value, mode: Mode): Value {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? 0 - value : -value;
  }
  return value instanceof WholeFloat && mode === "modern" ? floatOf(-value.value) : subtract(0, value, mode);
}

/** `+value`: the number itself; 2.3 lets everything through. */
export function unaryPlus(value: Value, mode: Mode): Value {
  if (value !== null && mode === "modern" && !isNumber(value)) {
    throw typeError(`Type mismatch: expected a number after + but was ${describeType(value)}`);
  }
  return value;
}

/**
 * The INTEGER of an exact result, kept within 64 bits.
 *
 * @throws ArithmeticError beyond them in modern mode; 2.3 wraps around
 */
export function integerResult(exact: bigint, mode: Mode, operator: Operator): number | bigint {
  if (exact < INTEGER_MIN || exact > INTEGER_MAX) {
    if (mode === "modern") {
      throw arithmeticError(`The result of ${operator[1]} is beyond the 64 bits of an INTEGER`, "IntegerOverflow");
    }
    return integerOf(BigInt.asIntN(64, exact));
  }
  return integerOf(exact);
}

function numericOperation(
  left: Value,
  right: Value,
  mode: Mode,
  operator: Operator,
  onIntegers: (a: bigint, b: bigint) => bigint,
  onFloats: (a: number, b: number) => number,
): Value {
  if (left === null || right === null) {
    return null;
  }
  const temporal = findTemporalResult(left, right, operator);
  if (temporal !== undefined) {
    return temporal;
  }
  const [a, b] = numbers(left, right, mode, operator);
  return isInteger(a) && isInteger(b)
    ? integerResult(onIntegers(BigInt(a), BigInt(b)), mode, operator)
    : floatOf(onFloats(toDouble(a), toDouble(b)));
}

/** A duration from a temporal value; a duration times or by a number. */
function findTemporalResult(
  left: NonNullable<Value>,
  right: NonNullable<Value>,
  operator: Operator,
): Value | undefined {
  if (operator === SUBTRACT && isTemporal(left) && right instanceof DurationValue) {
    return addDuration(left, right, -1);
  }
  if (left instanceof DurationValue && isNumber(right)) {
    const factor = factorOf(right);
    return operator === MULTIPLY
      ? timesDuration(left, factor)
      : operator === DIVIDE
        ? timesDuration(left, inverse(factor))
        : undefined;
  }
  return operator === MULTIPLY && right instanceof DurationValue && isNumber(left)
    ? timesDuration(right, factorOf(left))
    : undefined;
}

function factorOf(value: NumberValue): Fraction {
  return isInteger(value) ? whole(BigInt(value)) : fractionOf(toDouble(value));
}

function numbers(
  left: NonNullable<Value>,
  right: NonNullable<Value>,
  mode: Mode,
  [legacyName, symbol]: Operator,
): [NumberValue, NumberValue] {
  if (isNumber(left) && isNumber(right)) {
    refuseOversized(left);
    refuseOversized(right);
    return [left, right];
  }
  throw typeError(
    mode === "2.3"
      ? `Don't know how to ${legacyName} \`${describeJava(right)}\` with \`${describeJava(left)}\``
      : `Type mismatch: expected numbers beside ${symbol} but were ${describeType(left)} and ${describeType(right)}`,
  );
}

/**
 * A parameter beyond 64 bits: 2.3 gives it back when nothing is done with it.
 *
 * @throws InvalidArguments
 * @source rulings, Graph 3
 */
export function refuseOversized(value: Value): void {
  if (typeof value === "bigint" && (value < INTEGER_MIN || value > INTEGER_MAX)) {
    throw argumentError(`The integer ${String(value).slice(0, 50)} does not fit into 64 bits`);
  }
}

function areIntegers(left: number, right: number): boolean {
  return Number.isSafeInteger(left) && Number.isSafeInteger(right);
}

function divideIntegers(dividend: bigint, divisor: bigint): bigint {
  if (divisor === 0n) {
    throw arithmeticError("/ by zero");
  }
  return dividend / divisor;
}

function remainderOfIntegers(dividend: bigint, divisor: bigint): bigint {
  if (divisor === 0n) {
    throw arithmeticError("/ by zero");
  }
  return dividend % divisor;
}
