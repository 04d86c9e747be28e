/** Gives out JavaScript identifiers: readable, never twice, never a word that means something already. */
export class NameTable {
  readonly #used: Set<string>;

  /** @param taken  names that the code finds around itself */
  constructor(taken: Iterable<string>) {
    this.#used = new Set([...RESERVED, ...taken]);
  }

  /** `wanted` with everything but letters, digits and `_` taken out, and a number behind it when that is taken. */
  unique(wanted: string): string {
    const stem = /^[A-Za-z_]/u.test(wanted)
      ? wanted.replace(/[^A-Za-z0-9_]/gu, "")
      : `v${wanted.replace(/[^A-Za-z0-9_]/gu, "")}`;
    let name = stem;
    for (let suffix = 2; this.#used.has(name); suffix += 1) {
      name = `${stem}_${suffix}`;
    }
    this.#used.add(name);
    return name;
  }
}

/** Words of the language and what every generated function has in its own scope. */
const RESERVED: readonly string[] = (
  "abstract arguments async await boolean break byte case catch char class const continue debugger default delete do " +
  "double else enum eval export extends false final finally float for function goto if implements import in instanceof " +
  "int interface let long native new null of package private protected public return short static super switch " +
  "synchronized this throw throws transient true try typeof undefined var void volatile while with yield NaN Infinity " +
  "Object Array Map Set Math Number String Boolean BigInt Symbol JSON Int32Array Float64Array process globalThis " +
  "global require module exports constructor prototype __proto__ library constants statement view tokens transaction " +
  "context mode parameters turns rows TICK PAUSE WAIT_FOR_LOCK TURNS_PER_TICK MAXIMUM_BATCH_ROWS run"
).split(" ");
