import { must } from "@trefoil/base";
import { type Mode } from "@trefoil/cypher";
import { type Accumulator } from "../functions/aggregates/accumulator.ts";
import { findFunction } from "../functions/registry.ts";
import { type EquivalenceKey, equivalenceKey } from "../values/equivalence.ts";
import { type Value } from "../values/value.ts";

/** A fresh accumulator of the aggregate function `name`. */
export function newAccumulator(name: string, distinct: boolean, mode: Mode): Accumulator {
  const definition = must(findFunction(name, mode), "the binder found the aggregate");
  if (!definition.aggregate) {
    throw new TypeError(`${name} is no aggregate`);
  }
  const accumulator = definition.create(mode);
  return distinct ? new DistinctAccumulator(accumulator, mode) : accumulator;
}

/** Hands on each value once. */
class DistinctAccumulator implements Accumulator {
  readonly #inner: Accumulator;
  readonly #mode: Mode;
  readonly #seen: Set<EquivalenceKey> = new Set<EquivalenceKey>();

  constructor(inner: Accumulator, mode: Mode) {
    this.#inner = inner;
    this.#mode = mode;
  }

  add(value: Value, second?: Value): void {
    const key = equivalenceKey(value, this.#mode);
    if (!this.#seen.has(key)) {
      this.#seen.add(key);
      this.#inner.add(value, second);
    }
  }

  result(): Value {
    return this.#inner.result();
  }
}
