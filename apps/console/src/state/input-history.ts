import { type Signal } from "@preact/signals";
import { type KeptTexts, readTexts, storedSignal } from "./stored-signal.ts";

const MAXIMUM_ENTRIES = 200;

/** What was run, newest first, and the place in it that the arrow keys have come to. */
export class InputHistory {
  readonly entries: Signal<readonly string[]>;
  /** -1: not looking back. */
  #place = -1;
  #draft = "";

  constructor(kept: KeptTexts) {
    this.entries = storedSignal<readonly string[]>(kept, "trefoil.graph.history", [], readTexts);
  }

  add(text: string): void {
    this.#place = -1;
    const others = this.entries.value.filter((each) => each !== text);
    this.entries.value = [text, ...others].slice(0, MAXIMUM_ENTRIES);
  }

  clear(): void {
    this.#place = -1;
    this.entries.value = [];
  }

  /** The entry before the one shown; `current` is kept to come back to. Undefined at the oldest. */
  findOlder(current: string): string | undefined {
    if (this.#place === -1) {
      this.#draft = current;
    }
    const older = this.entries.value[this.#place + 1];
    if (older !== undefined) {
      this.#place += 1;
    }
    return older;
  }

  findNewer(): string | undefined {
    if (this.#place === -1) {
      return undefined;
    }
    this.#place -= 1;
    return this.#place === -1 ? this.#draft : this.entries.value[this.#place];
  }
}
