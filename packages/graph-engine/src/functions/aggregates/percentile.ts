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
    if (this.#values.length === 0) {
      this.#percentile = this.#judged(toDouble(numberArgument(percentile, this.#name, this.mode)));
    }
    const name = this.mode === "2.3" ? this.#name.replace("percentile", "percentile_") : this.#name;
    this.#values.push(aggregatedNumber(value, name, this.mode));
  }

  result(): Value {
    if (this.#values.length <= 1) {
      return this.#values[0] === undefined ? null : this.ofOne(this.#values[0]);
    }
    // 2.3 runs past its array there, unless the group has one value only.
    if (this.#percentile < 0 || this.#percentile > 1) {
      throw executionFailure(`${this.#name}() takes a percentile between 0.0 and 1.0, but got ${this.#percentile}`);
    }
    return this.ofSorted(
      this.#values.sort((a, b) => compareForOrder(a, b, "modern")),
      this.#percentile,
    );
  }

  protected abstract ofOne(value: NumberValue): Value;
  /** @param sorted at least two values, ascending */
  protected abstract ofSorted(sorted: readonly NumberValue[], percentile: number): Value;

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

  protected override ofSorted(sorted: readonly NumberValue[], percentile: number): Value {
    const index = percentile === 0 ? 0 : Math.ceil(percentile * sorted.length) - 1;
    return sorted[index] ?? null;
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

  protected override ofSorted(sorted: readonly NumberValue[], percentile: number): Value {
    const position = percentile * (sorted.length - 1);
    const lower = sorted[Math.floor(position)] ?? 0;
    const upper = sorted[Math.ceil(position)] ?? 0;
    const weight = position - Math.floor(position);
    if (weight === 0) {
      return this.ofOne(lower);
    }
    return floatOf(toDouble(lower) * (1 - weight) + toDouble(upper) * weight);
  }
}
