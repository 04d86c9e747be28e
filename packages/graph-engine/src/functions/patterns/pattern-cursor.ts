/** Where a pattern cannot be read, or asks for what a linear-time engine cannot do. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

/** Reads a pattern code point by code point. */
export class PatternCursor {
  readonly #points: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#points = Array.from(pattern);
  }

  get atEnd(): boolean {
    return this.#at >= this.#points.length;
  }

  /** The next code point without taking it; empty at the end. */
  peek(ahead: number = 0): string {
    return this.#points[this.#at + ahead] ?? "";
  }

  next(): string {
    const point = this.peek();
    if (point === "") {
      throw this.error("it ends too early");
    }
    this.#at += 1;
    return point;
  }

  /** Takes `text` when it comes next. */
  take(text: string): boolean {
    const points = Array.from(text);
    if (points.every((point, index) => this.peek(index) === point)) {
      this.#at += points.length;
      return true;
    }
    return false;
  }

  expect(text: string): void {
    if (!this.take(text)) {
      throw this.error(`'${text}' is missing`);
    }
  }

  /** The code points up to `end`, which is taken too; `end` itself may be missing at the end of the pattern when `open`. */
  until(end: string, open: boolean): readonly string[] {
    const from = this.#at;
    while (!this.atEnd) {
      const to = this.#at;
      if (this.take(end)) {
        return this.#points.slice(from, to);
      }
      this.#at += 1;
    }
    if (!open) {
      throw this.error(`'${end}' is missing`);
    }
    return this.#points.slice(from);
  }

  /** As many of the code points that `accepted` names as come next, at most `limit`. */
  run(accepted: RegExp, limit: number): string {
    let text = "";
    while (text.length < limit && accepted.test(this.peek())) {
      text += this.next();
    }
    return text;
  }

  error(reason: string): PatternError {
    return new PatternError(`${reason} near index ${this.#at}`);
  }
}
