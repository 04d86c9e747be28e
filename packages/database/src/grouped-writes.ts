import { type Kysely, type Transaction } from "kysely";

type Write<Tables, Result> = (transaction: Transaction<Tables>) => Promise<Result>;

interface Job<Tables> {
  readonly write: Write<Tables, unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** Writes of one transaction at most: the first of them waits for the last. */
const GROUP_LIMIT = 200;

/**
 * Small writes that come at the same time share a transaction, and with it the one sync of the disk that an
 * acknowledged write has to wait for. Each is judged by itself: one that fails takes no other with it.
 */
export class GroupedWrites<Tables> {
  readonly #database: Kysely<Tables>;
  #waiting: Job<Tables>[] = [];
  #isWorking = false;

  constructor(database: Kysely<Tables>) {
    this.#database = database;
  }

  /**
   * @param write  may run twice, when the transaction it shared was rolled back for another one's failure
   * @returns its result, once it is on disk
   * @throws  whatever it throws, with nothing of it written
   */
  run<Result>(write: Write<Tables, Result>): Promise<Result> {
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      if (!this.#isWorking) {
        this.#isWorking = true;
        void this.#work();
      }
    }) as Promise<Result>;
  }

  /** Never rejects: each failure goes to the one whose write it was. */
  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Whoever's request has arrived already comes along.
      await new Promise(setImmediate);
      const group = this.#waiting.splice(0, GROUP_LIMIT);
      if (!(await this.#commit(group))) {
        for (const job of group) {
          await this.#commitAlone(job);
        }
      }
    }
    this.#isWorking = false;
  }

  /** @returns whether it worked; nothing of it is written and nobody was told when it didn't */
  async #commit(group: readonly Job<Tables>[]): Promise<boolean> {
    const results: unknown[] = [];
    try {
      await this.#database.transaction().execute(async (transaction) => {
        for (const { write } of group) {
          results.push(await write(transaction));
        }
      });
    } catch {
      return false;
    }
    group.forEach(({ resolve }, index) => resolve(results[index]));
    return true;
  }

  async #commitAlone({ write, resolve, reject }: Job<Tables>): Promise<void> {
    try {
      resolve(await this.#database.transaction().execute(write));
    } catch (error) {
      reject(error);
    }
  }
}
