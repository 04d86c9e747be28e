import { ARGUMENT_TEXT } from "../argument-text.ts";
import { type Mode } from "@trefoil/cypher";
import { compareForOrder } from "../../values/ordering.ts";
import { lateSyntaxError } from "../../values/query-errors.ts";
import { type Value } from "../../values/value.ts";
import { isNumber } from "../../values/value-kind.ts";
import { type Accumulator } from "./accumulator.ts";

/** `min(x)` and `max(x)` by the order of ORDER BY, nulls left out; null of nothing. */
export class Extreme implements Accumulator {
  readonly #operation: "MIN" | "MAX";
  readonly #mode: Mode;
  #value: Value = null;

  constructor(operation: "MIN" | "MAX", mode: Mode) {
    this.#operation = operation;
    this.#mode = mode;
  }

  add(value: Value): void {
    if (value === null) {
      return;
    }
    if (this.#mode === "2.3") {
      mustBeComparable(value);
    }
    if (this.#value === null || this.#wins(value, this.#value)) {
      this.#value = value;
    }
  }

  result(): Value {
    return this.#value;
  }

  #wins(value: Value, best: Value): boolean {
    const order = -compareForOrder(best, value, this.#mode, this.#operation);
    return this.#operation === "MIN" ? order < 0 : order > 0;
  }
}

function mustBeComparable(value: NonNullable<Value>): void {
  if (typeof value !== "string" && typeof value !== "boolean" && !isNumber(value)) {
    throw lateSyntaxError(`MIN/MAX can only handle values of Comparable type, or null. This was a :${ARGUMENT_TEXT}`);
  }
}
