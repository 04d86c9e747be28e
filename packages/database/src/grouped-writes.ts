import { type CompiledQuery, type DatabaseConnection, type Kysely, type QueryResult } from "kysely";
import { Lease } from "./sqlite-driver.ts";

/** Statements that belong together, in their order; what comes after one that changes nothing is left out. */
type Write = readonly CompiledQuery[];

interface Job {
  readonly write: Write;
  readonly resolve: (isWhole: boolean) => void;
  readonly reject: (reason: unknown) => void;
}

/** Writes of one transaction at most: the first of them waits for the last. */
const GROUP_LIMIT = 200;

/**
 * Small writes that come at the same time share a transaction, and with it the one sync of the disk that an
 * acknowledged write has to wait for. Each is judged by itself: one that fails takes no other with it.
 *
 * They are told as statements, not as a function that runs them: an embedded database then works on all of them in one
 * go, without a promise for each. (decisions/0201)
 */
export class GroupedWrites<Tables> {
  readonly #database: Kysely<Tables>;
  #waiting: Job[] = [];
  #isWorking = false;

  constructor(database: Kysely<Tables>) {
    this.#database = database;
  }

  /**
   * @returns whether each statement changed something, once that is on disk
   * @throws  what a statement failed with, with nothing of the write written
   */
  run(write: Write): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      if (!this.#isWorking) {
        this.#isWorking = true;
        void this.#work();
      }
    });
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
  async #commit(group: readonly Job[]): Promise<boolean> {
    let results: readonly boolean[];
    try {
      results = await this.#transact(group);
    } catch {
      return false;
    }
    group.forEach(({ resolve }, index) => resolve(results[index] === true));
    return true;
  }

  async #commitAlone(job: Job): Promise<void> {
    try {
      const [isWhole] = await this.#transact([job]);
      job.resolve(isWhole === true);
    } catch (error) {
      job.reject(error);
    }
  }

  #transact(group: readonly Job[]): Promise<readonly boolean[]> {
    return this.#database
      .transaction()
      .execute((transaction) =>
        transaction.getExecutor().provideConnection((connection) => writeAll(connection, group)),
      );
  }
}

async function writeAll(connection: DatabaseConnection, group: readonly Job[]): Promise<readonly boolean[]> {
  const results: boolean[] = [];
  for (const { write } of group) {
    let isWhole = true;
    for (let place = 0; isWhole && place < write.length; place += 1) {
      const result = execute(connection, write[place] as CompiledQuery);
      const { numAffectedRows = 0n } = result instanceof Promise ? await result : result;
      isWhole = numAffectedRows > 0n;
    }
    results.push(isWhole);
  }
  return results;
}

function execute(
  connection: DatabaseConnection,
  statement: CompiledQuery,
): QueryResult<unknown> | Promise<QueryResult<unknown>> {
  return connection instanceof Lease ? connection.executeInTransaction(statement) : connection.executeQuery(statement);
}
