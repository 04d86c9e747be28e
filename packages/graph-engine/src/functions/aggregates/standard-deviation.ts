import { type Mode } from "@trefoil/cypher";
import { floatOf } from "@trefoil/graph-store";
import { type Value } from "../../values/value.ts";
import { toDouble } from "../../values/value-kind.ts";
import { type Accumulator } from "./accumulator.ts";
import { aggregatedNumber } from "./sum-average.ts";

/**
 * `stDev(x)` (of a sample: divides by n - 1) and `stDevP(x)` (of everything: by n); 0.0 of fewer than two values.
 * Mean and squares move along with each value (Welford), which stays accurate for large values close together.
 */
export class StandardDeviation implements Accumulator {
  readonly #name: string;
  readonly #divisorOffset: 0 | 1;
  readonly #mode: Mode;
  #count = 0;
  #mean = 0;
  #squares = 0;

  constructor(of: "sample" | "population", mode: Mode) {
    this.#name = of === "sample" ? "stDev" : "stDevP";
    this.#divisorOffset = of === "sample" ? 1 : 0;
    this.#mode = mode;
  }

  add(value: Value): void {
    if (value === null) {
      return;
    }
    const x = toDouble(aggregatedNumber(value, this.#name, this.#mode));
    this.#count += 1;
    const fromOldMean = x - this.#mean;
    this.#mean += fromOldMean / this.#count;
    this.#squares += fromOldMean * (x - this.#mean);
  }

  result(): Value {
    return floatOf(this.#count < 2 ? 0 : Math.sqrt(this.#squares / (this.#count - this.#divisorOffset)));
  }
}
