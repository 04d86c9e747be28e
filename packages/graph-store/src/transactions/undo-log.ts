import { must } from "@trefoil/base";

/** What was made is taken back by calling it deleted, without a function for each; anything else by what is called. */
type Undo = (() => void) | { deleted: boolean };

/** What takes back the changes since each savepoint. A savepoint holds `Mark`: what else was so when it was set. */
export class UndoLog<Mark> {
  readonly #undo: Undo[] = [];
  #savepoints: { readonly length: number; readonly number: number; readonly mark: Mark }[] = [];
  #newestEver = 0;

  /** The number of the savepoint that was set last, gone or not; each has a higher one than those before. */
  get newestEver(): number {
    return this.#newestEver;
  }

  /** Whether taking back to any savepoint takes back what was made after that of this number as well. */
  takesBack(madeAfter: number): boolean {
    return madeAfter >= (this.#savepoints.at(-1)?.number ?? 0);
  }

  /** Without a savepoint there is nothing to go back to, and nothing is kept. */
  record(undo: Undo): void {
    if (this.#savepoints.length > 0) {
      this.#undo.push(undo);
    }
  }

  /** @returns the savepoint, for {@link backTo} and {@link release} */
  set(mark: Mark): number {
    this.#newestEver += 1;
    this.#savepoints.push({ length: this.#undo.length, number: this.#newestEver, mark });
    return this.#savepoints.length - 1;
  }

  /** Takes back what came after the savepoint, newest first; it stays set, those after it are gone. */
  backTo(savepoint: number): Mark {
    const { length, mark } = must(this.#savepoints[savepoint], "the savepoint was set and is not released");
    while (this.#undo.length > length) {
      const undo = must(this.#undo.pop(), "the undo list is longer than the mark");
      if (typeof undo === "function") {
        undo();
      } else {
        undo.deleted = true;
      }
    }
    this.#savepoints.length = savepoint + 1;
    return mark;
  }

  release(savepoint: number): void {
    this.#savepoints.length = Math.min(this.#savepoints.length, savepoint);
    if (this.#savepoints.length === 0) {
      this.#undo.length = 0;
    }
  }

  /** After a part was committed: the savepoints go back no further than here. */
  startAgain(mark: () => Mark): void {
    this.#undo.length = 0;
    this.#savepoints = this.#savepoints.map(({ number }) => ({ length: 0, number, mark: mark() }));
  }

  clear(): void {
    this.#undo.length = 0;
    this.#savepoints = [];
  }
}
