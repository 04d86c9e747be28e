import { type Value } from "../../values/value.ts";

/** Gathers one group's values. DISTINCT is done by who calls: equivalent values are added once. */
export interface Accumulator {
  /** One row's argument; `second` is the percentile of the percentile functions. */
  add(value: Value, second?: Value): void;
  /** What the group comes to; may be asked once. */
  result(): Value;
}
