/** How many texts are kept ready, powers of two: as many as there are codes, within these. */
const FIRST_SIZE = 2 ** 10;
const LARGEST_SIZE = 2 ** 18;

/** Texts of a dictionary as JavaScript strings, those that were asked for last, each at the one place its code may have. */
export class TextCache {
  #codes = new Int32Array(FIRST_SIZE);
  #texts: string[] = new Array<string>(FIRST_SIZE).fill("");
  #misses = 0;

  find(code: number): string | undefined {
    const place = code & (this.#codes.length - 1);
    return this.#codes[place] === code ? this.#texts[place] : undefined;
  }

  /** Keeps a text that was not found. */
  keep(code: number, text: string, codeLimit: number): void {
    this.#misses += 1;
    if (this.#misses > FIRST_SIZE) {
      this.#growFor(codeLimit);
    }
    const place = code & (this.#codes.length - 1);
    this.#codes[place] = code;
    this.#texts[place] = text;
  }

  forget(code: number): void {
    this.#codes[code & (this.#codes.length - 1)] = 0;
  }

  /**
   * A scan in the order of codes through a cache that is too small would find nothing in it the next time. Who wants few
   * texts gets by with a small one.
   */
  #growFor(codeLimit: number): void {
    let size = this.#codes.length;
    if (size >= codeLimit || size >= LARGEST_SIZE) {
      return;
    }
    while (size < codeLimit && size < LARGEST_SIZE) {
      size *= 2;
    }
    this.#codes = new Int32Array(size);
    this.#texts = new Array<string>(size).fill("");
  }
}
