import { type Mode } from "@trefoil/cypher";
import { floatOf } from "@trefoil/graph-store";
import { compareForOrder } from "../../values/ordering.ts";
import { argumentError, executionFailure } from "../../values/query-errors.ts";
import { type NumberValue, type Value } from "../../values/value.ts";
import { toDouble } from "../../values/value-kind.ts";
import { numberArgument } from "../arguments.ts";
import { type Accumulator } from "./accumulator.ts";
import { aggregatedNumber } from "./sum-average.ts";

abstract class Percentile implements Accumulator {
  protected readonly mode: Mode;
  readonly #name: string;
  readonly #values: NumberValue[] = [];
  #percentile = 0;

  constructor(name: string, mode: Mode) {
    this.#name = name;
    this.mode = mode;
  }

  /** The percentile of the group's first row counts, as rows of one group share it in every sensible statement. */
  add(value: Value, percentile: Value = 0): void {
    if (value === null) {
      return;
    }
    const name = this.mode === "2.3" ? this.#name.replace("percentile", "percentile_") : this.#name;
    const number = this.mode === "2.3" ? aggregatedNumber(value, name, this.mode) : undefined;
    if (this.#values.length === 0) {
      this.#percentile = this.#judged(toDouble(numberArgument(percentile, this.#name, this.mode)));
    }
    this.#values.push(number ?? aggregatedNumber(value, name, this.mode));
  }

  result(): Value {
    if (this.#values.length <= 1) {
      return this.#values[0] === undefined ? null : this.ofOne(this.#values[0]);
    }
    const found = this.ofSorted(
      this.#values.sort((a, b) => compareForOrder(a, b, "modern")),
      this.#percentile,
    );
    // 2.3 looks for a value wherever the percentile points.
    if (found === undefined) {
      throw executionFailure(`${this.#name}() takes a percentile between 0.0 and 1.0, but got ${this.#percentile}`);
    }
    return found;
  }

  protected abstract ofOne(value: NumberValue): Value;
  /**
   * @param sorted at least two values, ascending
   * @returns undefined when there is no such place
   */
  protected abstract ofSorted(sorted: readonly NumberValue[], percentile: number): Value | undefined;

  #judged(percentile: number): number {
    if (this.mode === "modern" && !(percentile >= 0 && percentile <= 1)) {
      throw argumentError(
        `${this.#name}() takes a percentile between 0.0 and 1.0, but got ${percentile}`,
        "NumberOutOfRange",
      );
    }
    return percentile;
  }
}

/** `percentileDisc(x, p)`: the smallest value that at least this share of the values does not exceed. */
export class DiscretePercentile extends Percentile {
  constructor(mode: Mode) {
    super("percentileDisc", mode);
  }

  protected override ofOne(value: NumberValue): Value {
    return value;
  }

  protected override ofSorted(sorted: readonly NumberValue[], percentile: number): Value | undefined {
    const position = percentile * sorted.length;
    const whole = Math.trunc(position);
    return sorted[whole === position && whole !== 0 ? whole - 1 : whole];
  }
}

/** `percentileCont(x, p)`: between the two nearest values by weight; 2.3 leaves a value that is hit exactly as it is. */
export class ContinuousPercentile extends Percentile {
  constructor(mode: Mode) {
    super("percentileCont", mode);
  }

  protected override ofOne(value: NumberValue): Value {
    return this.mode === "modern" ? floatOf(toDouble(value)) : value;
  }

  protected override ofSorted(sorted: readonly NumberValue[], percentile: number): Value | undefined {
    const position = percentile * (sorted.length - 1);
    const whole = Math.trunc(position);
    const lower = sorted[whole];
    const upper = sorted[Math.ceil(position) + 0];
    if (lower !== undefined && (Math.ceil(position) === whole || whole === sorted.length - 1)) {
      return this.ofOne(lower);
    }
    if (lower === undefined || upper === undefined) {
      return undefined;
    }
    const weight = position - whole;
    return floatOf(toDouble(lower) * (1 - weight) + toDouble(upper) * weight);
  }
}
