import { grown, sharedInt32 } from "../memory/shared-array.ts";

/** Ids of this many digits fit an array index; longer ones are kept as text. */
const MOST_DIGITS = 9;
const ZERO = 48;

/** Which node an id of the import files is. Whole numbers without big gaps, the usual case, are looked up in an array. */
export class IdSpace {
  #byNumber = sharedInt32(0);
  readonly #byText = new Map<string, number>();
  #size = 0;

  /** -1 when no node has the id. */
  find(id: string): number {
    const number = numberOf(id);
    const found = number < 0 ? -1 : (this.#byNumber[number] ?? -1);
    return found >= 0 ? found : (this.#byText.get(id) ?? -1);
  }

  /** The same for an id that is written as a whole number the usual way; -1 also when it must be looked up as text. */
  findNumber(id: number): number {
    return this.#byNumber[id] ?? -1;
  }

  add(id: string, node: number): void {
    this.#size += 1;
    const number = numberOf(id);
    if (number >= 0 && number < this.#size * 8 + 1024) {
      this.#byNumber = grown(this.#byNumber, number + 1, -1);
      this.#byNumber[number] = node;
    } else {
      this.#byText.set(id, node);
    }
  }
}

/** The number that `id` is the decimal text of, -1 when it is no such text: "007" and "7" are two ids. */
function numberOf(id: string): number {
  const length = id.length;
  if (length === 0 || length > MOST_DIGITS || (length > 1 && id.charCodeAt(0) === ZERO)) {
    return -1;
  }
  let number = 0;
  for (let at = 0; at < length; at++) {
    const digit = id.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) {
      return -1;
    }
    number = number * 10 + digit;
  }
  return number;
}
