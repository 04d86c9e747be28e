import { type Ternary } from "../values/value.ts";

export function newQuantifier(kind: "all" | "any" | "none" | "single"): Quantifier {
  return new Quantifier(kind);
}

/** Judges `all`, `any`, `none` or `single` from the truth of the predicate for each element. */
export class Quantifier {
  readonly #kind: "all" | "any" | "none" | "single";
  #hits = 0;
  #misses = 0;
  #unknown = 0;

  constructor(kind: "all" | "any" | "none" | "single") {
    this.#kind = kind;
  }

  /** Takes the truth for one element; true when the answer is settled. */
  add(truth: Ternary): boolean {
    if (truth === true) {
      this.#hits += 1;
    } else if (truth === false) {
      this.#misses += 1;
    } else {
      this.#unknown += 1;
    }
    switch (this.#kind) {
      case "all":
        return this.#misses > 0;
      case "any":
      case "none":
        return this.#hits > 0;
      case "single":
        return this.#hits > 1;
    }
  }

  result(): Ternary {
    const open = this.#unknown > 0;
    switch (this.#kind) {
      case "all":
        return this.#misses > 0 ? false : open ? null : true;
      case "any":
        return this.#hits > 0 ? true : open ? null : false;
      case "none":
        return this.#hits > 0 ? false : open ? null : true;
      case "single":
        return this.#hits > 1 ? false : open ? null : this.#hits === 1;
    }
  }
}
