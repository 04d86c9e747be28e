import { type Value } from "../../values/value.ts";
import { type Accumulator } from "./accumulator.ts";

/** `count(x)`: how many are not null. */
export class Count implements Accumulator {
  #count = 0;

  add(value: Value): void {
    if (value !== null) {
      this.#count += 1;
    }
  }

  result(): Value {
    return this.#count;
  }
}

/** `collect(x)`: all that are not null, in the order they came. */
export class Collect implements Accumulator {
  readonly #values: Value[] = [];

  add(value: Value): void {
    if (value !== null) {
      this.#values.push(value);
    }
  }

  result(): Value {
    return this.#values;
  }
}
