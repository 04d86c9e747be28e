import { ARGUMENT_TEXT } from "../argument-text.ts";
import { type Mode } from "@trefoil/cypher";
import { DurationValue, floatOf } from "@trefoil/graph-store";
import { refuseOversized } from "../../values/arithmetic.ts";
import { add } from "../../values/addition.ts";
import { typeError } from "../../values/query-errors.ts";
import { plusDuration, timesDuration } from "../../values/temporal/duration.ts";
import { describeType } from "../../values/type-of.ts";
import { type NumberValue, type Value } from "../../values/value.ts";
import { isInteger, isNumber, toDouble } from "../../values/value-kind.ts";
import { type Accumulator } from "./accumulator.ts";

/**
 * `sum(x)`: INTEGER while all are, exactly; 0 of nothing. Beyond 64 bits modern mode refuses (ArithmeticError) and 2.3
 * goes on as a FLOAT. Durations add up to a duration.
 */
export class Sum implements Accumulator {
  readonly #mode: Mode;
  #durations: DurationValue | undefined;
  #exact: Value = 0;
  #double = 0;
  #isExact = true;

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  add(value: Value): void {
    if (value === null) {
      return;
    }
    if (value instanceof DurationValue) {
      this.#durations = plusDuration(this.#durations ?? NO_DURATION, value, 1n);
      return;
    }
    const number = aggregatedNumber(value, "sum", this.#mode);
    if (this.#isExact && isInteger(number) && !this.#overflowsInLegacy(number)) {
      this.#exact = add(this.#exact, number, this.#mode);
      return;
    }
    if (this.#isExact) {
      this.#double = this.#exact === null ? 0 : toDouble(this.#exact as NumberValue);
      this.#isExact = false;
    }
    this.#double += toDouble(number);
  }

  result(): Value {
    if (this.#durations !== undefined) {
      return onlyDurations(this.#durations, !this.#isExact || this.#exact !== 0, "sum");
    }
    return this.#isExact ? this.#exact : floatOf(this.#double);
  }

  #overflowsInLegacy(number: number | bigint): boolean {
    if (this.#mode === "modern" || (typeof number === "number" && typeof this.#exact === "number")) {
      return false;
    }
    const exact = BigInt(this.#exact as number | bigint) + BigInt(number);
    return BigInt.asIntN(64, exact) !== exact;
  }
}

/** `avg(x)`: a FLOAT, of durations a duration; null of nothing. */
export class Average implements Accumulator {
  readonly #mode: Mode;
  #count = 0;
  #sum = 0;
  #durations: DurationValue | undefined;

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  add(value: Value): void {
    if (value === null) {
      return;
    }
    this.#count += 1;
    if (value instanceof DurationValue) {
      this.#durations = plusDuration(this.#durations ?? NO_DURATION, value, 1n);
    } else {
      this.#sum += toDouble(aggregatedNumber(value, "avg", this.#mode));
    }
  }

  result(): Value {
    if (this.#durations !== undefined) {
      const total = onlyDurations(this.#durations, this.#sum !== 0, "avg");
      return timesDuration(total, { of: 1n, over: BigInt(this.#count) });
    }
    return this.#count === 0 ? null : floatOf(this.#sum / this.#count);
  }
}

const NO_DURATION = new DurationValue(0, 0, 0n, 0);

function onlyDurations(durations: DurationValue, hasNumbers: boolean, name: string): DurationValue {
  if (hasNumbers) {
    throw typeError(`${name}() cannot mix durations and numbers`, "InvalidArgumentValue");
  }
  return durations;
}

/** A number to be aggregated. @throws InvalidType */
export function aggregatedNumber(value: NonNullable<Value>, name: string, mode: Mode): NumberValue {
  if (isNumber(value)) {
    refuseOversized(value);
    return value;
  }
  throw typeError(
    mode === "modern"
      ? `${name}() can only handle numbers and null, but got ${describeType(value)}`
      : `${name.toUpperCase()}(${ARGUMENT_TEXT}) can only handle numerical values, or null.`,
    "InvalidArgumentValue",
  );
}
