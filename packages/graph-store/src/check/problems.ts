/** More than this is no news. */
const LIMIT = 100;

/** What a check has found, the first hundred in words. */
export class Problems {
  readonly #found: string[] = [];
  #more = 0;

  add(problem: string): void {
    if (this.#found.length < LIMIT) {
      this.#found.push(problem);
    } else {
      this.#more += 1;
    }
  }

  expect(actual: number, expected: number, what: string): void {
    if (actual !== expected) {
      this.add(`${what} is ${actual}, but ${expected} were found`);
    }
  }

  all(): readonly string[] {
    return this.#more === 0 ? this.#found : [...this.#found, `… and ${this.#more} more`];
  }
}

/** Lets others have their turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Entities between two turns. */
export const CHECK_CHUNK = 50_000;
