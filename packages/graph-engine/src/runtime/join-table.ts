import { type Mode } from "@trefoil/cypher";
import { type EquivalenceKey, equivalenceKey } from "../values/equivalence.ts";
import { type Value } from "../values/value.ts";

/** The kept rows of a join by their key. */
export function newJoinTable(mode: Mode): JoinTable {
  return new JoinTable(mode);
}

/**
 * Row numbers by key, in the order they were added. Keys are told apart as grouping does, which never keeps two values
 * apart that are equal; what it takes for one without being equal (NaN, nulls in lists) is for the caller to judge.
 */
export class JoinTable {
  readonly #mode: Mode;
  readonly #rows = new Map<EquivalenceKey, number[]>();

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  add(key: Value, row: number): void {
    if (key === null) {
      return;
    }
    const known = equivalenceKey(key, this.#mode);
    const rows = this.#rows.get(known);
    if (rows === undefined) {
      this.#rows.set(known, [row]);
    } else {
      rows.push(row);
    }
  }

  find(key: Value): readonly number[] {
    return key === null ? NO_ROWS : (this.#rows.get(equivalenceKey(key, this.#mode)) ?? NO_ROWS);
  }
}

const NO_ROWS: readonly number[] = [];
