import { EmbeddedDatabase } from "@trefoil/database";
import { type Call } from "./statement.ts";
import { type Steps } from "./steps.ts";

/**
 * Pages of 4 KiB in the log before they are carried over into the database, by the commit that reaches the number and
 * with two syncs of its own. Uploads write the same pages of the index again and again: the later the fewer.
 */
const CHECKPOINT_PAGES = 4000;

/** A connection of its own to the embedded database, on which statements run at once. */
export class MetadataConnection {
  readonly #database: EmbeddedDatabase;

  constructor(file: string) {
    this.#database = new EmbeddedDatabase(file);
    this.#database.prepare(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`).all([]);
  }

  /** Runs steps that need no transaction: one statement, or several that need not agree. */
  run<Result>(steps: Steps<Result>): Result {
    let next = steps.next();
    while (next.done !== true) {
      next = steps.next(this.execute(next.value));
    }
    return next.value;
  }

  /** Runs steps that read one state of the database. */
  read<Result>(steps: Steps<Result>): Result {
    this.execute(BEGIN_READ);
    try {
      return this.run(steps);
    } finally {
      this.execute(COMMIT);
    }
  }

  execute(call: Call): readonly unknown[] {
    const statement = this.#database.prepare(call.sql);
    if (statement.reader) {
      if (call.isForOne !== true) {
        return statement.all(call.values);
      }
      const row = statement.first(call.values);
      return row === undefined ? [] : [row];
    }
    statement.run(call.values);
    return [];
  }

  close(): void {
    this.#database.close();
  }
}

const BEGIN_READ: Call = { sql: "BEGIN", values: [] };
const COMMIT: Call = { sql: "COMMIT", values: [] };
