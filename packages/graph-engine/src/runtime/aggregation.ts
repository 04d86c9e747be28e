import { must } from "@trefoil/base";
import { type Mode } from "@trefoil/cypher";
import { type Accumulator } from "../functions/aggregates/accumulator.ts";
import { namingArgumentOf } from "../functions/argument-text.ts";
import { findFunction } from "../functions/registry.ts";
import { type EquivalenceKey, equivalenceKey } from "../values/equivalence.ts";
import { type Value } from "../values/value.ts";

/**
 * A fresh accumulator of the aggregate function `name`.
 *
 * @param argument  as it was written, for messages
 */
export function newAccumulator(name: string, distinct: boolean, mode: Mode, argument: string): Accumulator {
  const definition = must(findFunction(name, mode), "the binder found the aggregate");
  if (!definition.aggregate) {
    throw new TypeError(`${name} is no aggregate`);
  }
  const plain = definition.create(mode);
  const accumulator = mode === "2.3" && definition.namesArgument ? namingArgumentOf(plain, argument) : plain;
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
