import { type Position } from "./errors.ts";

/** Turns offsets into positions. Asking in roughly ascending order, as a parser does, costs no search. */
export class LineIndex {
  /** Offset of the first character of each line. */
  readonly #lineStarts: number[] = [0];
  #line = 0;

  constructor(text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
      this.#lineStarts.push(at + 1);
    }
  }

  at(offset: number): Position {
    while (this.#startOf(this.#line) > offset) {
      this.#line -= 1;
    }
    while (this.#startOf(this.#line + 1) <= offset) {
      this.#line += 1;
    }
    return { offset, line: this.#line + 1, column: offset - this.#startOf(this.#line) + 1 };
  }

  #startOf(line: number): number {
    return this.#lineStarts[line] ?? Number.POSITIVE_INFINITY;
  }
}
