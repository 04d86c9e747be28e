import { EmbeddedDatabase } from "@trefoil/database";
import { type Call } from "./statement.ts";
import { type Steps } from "./steps.ts";

/** A connection of its own to the embedded database, on which statements run at once. */
export class MetadataConnection {
  readonly #database: EmbeddedDatabase;

  constructor(file: string) {
    this.#database = new EmbeddedDatabase(file);
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
      return statement.all(call.values);
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
