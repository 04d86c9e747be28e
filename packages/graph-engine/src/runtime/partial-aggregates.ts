import { type Mode } from "@trefoil/cypher";
import { DurationValue, floatOf } from "@trefoil/graph-store";
import { type Accumulator } from "../functions/aggregates/accumulator.ts";
import { aggregatedNumber } from "../functions/aggregates/sum-average.ts";
import { type Value } from "../values/value.ts";
import { isInteger, toDouble } from "../values/value-kind.ts";
import { newAccumulator } from "./aggregation.ts";

/**
 * What rows of one range come to cannot be put together with that of others so that the result is, to the last bit, the
 * one of all rows in a row: the statement is to be run in one piece.
 */
export class NotMergeable extends Error {
  override readonly name = "NotMergeable";
}

/** Gathers the values of one range, to be given to the accumulator that {@link newMergingAccumulator} makes. */
export function newPartialAccumulator(name: string, distinct: boolean, mode: Mode, argument: string): Accumulator {
  switch (name) {
    case "sum":
    case "avg":
      return distinct ? newAccumulator("collect", true, mode, argument) : new PartialSum(name, mode);
    case "min":
    case "max":
      return newAccumulator(name, distinct, mode, argument);
    default:
      return newAccumulator("collect", distinct, mode, argument);
  }
}

/** Takes the results of partial accumulators, in the order of the ranges. */
export function newMergingAccumulator(name: string, distinct: boolean, mode: Mode, argument: string): Accumulator {
  const isSum = name === "sum" || name === "avg";
  if (isSum && !distinct) {
    return new MergedSum(name);
  }
  const whole = newAccumulator(name, distinct, mode, argument);
  return name === "min" || name === "max" ? whole : new EachOfList(whole);
}

/** As all values one after the other: DISTINCT and `collect` are merged so. */
class EachOfList implements Accumulator {
  readonly #whole: Accumulator;

  constructor(whole: Accumulator) {
    this.#whole = whole;
  }

  add(list: Value): void {
    for (const value of list as readonly Value[]) {
      this.#whole.add(value);
    }
  }

  result(): Value {
    return this.#whole.result();
  }
}

/**
 * Sums of whole numbers, as long as all that was added, whatever its sign, stays below 2^53: then doubles are exact, and
 * so the same in any order. Fractions are not, nor is where an INTEGER overflows.
 */
class PartialSum implements Accumulator {
  readonly #name: "sum" | "avg";
  readonly #mode: Mode;
  #count = 0;
  #sum = 0;
  #magnitude = 0;
  #hasFloat = false;

  constructor(name: "sum" | "avg", mode: Mode) {
    this.#name = name;
    this.#mode = mode;
  }

  add(value: Value): void {
    if (value === null) {
      return;
    }
    if (value instanceof DurationValue) {
      throw new NotMergeable();
    }
    const number = aggregatedNumber(value, this.#name, this.#mode);
    const double = toDouble(number);
    this.#count += 1;
    this.#sum += double;
    this.#magnitude += Math.abs(double);
    this.#hasFloat ||= !isInteger(number);
    if (!Number.isInteger(double) || this.#magnitude > Number.MAX_SAFE_INTEGER) {
      throw new NotMergeable();
    }
  }

  result(): Value {
    return [this.#count, this.#sum, this.#magnitude, this.#hasFloat];
  }
}

class MergedSum implements Accumulator {
  readonly #name: "sum" | "avg";
  #count = 0;
  #sum = 0;
  #magnitude = 0;
  #hasFloat = false;

  constructor(name: "sum" | "avg") {
    this.#name = name;
  }

  add(partial: Value): void {
    const [count, sum, magnitude, hasFloat] = partial as readonly [number, number, number, boolean];
    this.#count += count;
    this.#sum += sum;
    this.#magnitude += magnitude;
    this.#hasFloat ||= hasFloat;
    if (this.#magnitude > Number.MAX_SAFE_INTEGER) {
      throw new NotMergeable();
    }
  }

  result(): Value {
    if (this.#name === "avg") {
      return this.#count === 0 ? null : floatOf(this.#sum / this.#count);
    }
    return this.#hasFloat ? floatOf(this.#sum) : this.#sum;
  }
}
