import { chmodSync, closeSync, openSync } from "node:fs";
import { assert } from "@trefoil/base";
import { type Dialect, type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely";
import Database from "libsql";

/** The embedded database: one SQLite file with a write-ahead log beside it. */
export function sqliteDialect(file: string): Dialect {
  return new SqliteDialect({ database: () => Promise.resolve(new EmbeddedDatabase(file)) });
}

const SETTINGS = [
  "busy_timeout = 5000",
  "journal_mode = WAL",
  // An acknowledged commit is on disk, not in a cache of the operating system.
  "synchronous = FULL",
  "foreign_keys = ON",
];

const OWNER_ONLY = 0o600;
/** Statements kept prepared; preparing costs three times what running a small one does. */
const PREPARED_LIMIT = 200;

/**
 * libsql behind the interface Kysely drives, with its sharp edges taken off (see the comments below). Also used by
 * itself where statements must run synchronously, such as in a thread of their own.
 */
export class EmbeddedDatabase implements SqliteDatabase {
  readonly #database: Database.Database;
  readonly #prepared = new Map<string, EmbeddedStatement>();

  constructor(file: string) {
    createOwnerOnly(file);
    this.#database = new Database(file);
    for (const setting of SETTINGS) {
      this.#database.prepare(`PRAGMA ${setting}`).all();
    }
  }

  prepare(sql: string): SqliteStatement {
    const known = this.#prepared.get(sql);
    if (known !== undefined) {
      return known;
    }
    const statement = new EmbeddedStatement(this.#database.prepare(sql), () => this.#prepared.delete(sql));
    this.#remember(sql, statement);
    return statement;
  }

  close(): void {
    this.#prepared.clear();
    // libsql holds the file until its statements are collected, so SQLite's own checkpoint at close doesn't come.
    this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
    this.#database.close();
  }

  #remember(sql: string, statement: EmbeddedStatement): void {
    const oldest = this.#prepared.keys().next();
    if (this.#prepared.size >= PREPARED_LIMIT && oldest.done !== true) {
      this.#prepared.delete(oldest.value);
    }
    this.#prepared.set(sql, statement);
  }
}

class EmbeddedStatement implements SqliteStatement {
  readonly reader: boolean;
  readonly #statement: Database.Statement;
  readonly #forget: () => void;

  constructor(statement: Database.Statement, forget: () => void) {
    this.#statement = statement;
    this.reader = statement.reader;
    this.#forget = forget;
  }

  all(parameters: readonly unknown[]): unknown[] {
    const rows = this.#guarded(() => this.#statement.all(parameters.map(bindable)));
    return rows.map(withBuffers);
  }

  run(parameters: readonly unknown[]): Database.RunResult {
    return this.#guarded(() => this.#statement.run(parameters.map(bindable)));
  }

  /** Reads the whole result first: a half-run statement would lock its tables for the only connection there is. */
  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.all(parameters).values();
  }

  /** A statement that failed may hold its read transaction open, so it isn't used again. */
  #guarded<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      this.#forget();
      throw error;
    }
  }
}

/**
 * The value as libsql takes it. Booleans, dates and plain objects end the whole process inside libsql, integers would
 * be bound as floating point, and text is cut at a NUL when it is read back.
 */
function bindable(value: unknown): unknown {
  switch (typeof value) {
    case "undefined":
      return null;
    case "number":
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case "bigint":
      assert(value >= -(2n ** 63n) && value < 2n ** 63n, "an integer of the database has 64 bits");
      return value;
    case "string":
      assert(!value.includes("\0"), "text of the database has no NUL");
      return value;
    case "object":
      assert(value === null || value instanceof Uint8Array, "an object bound to a statement is a byte array");
      return value;
    default:
      assert(false, `a ${typeof value} cannot be bound to a statement`);
  }
}

/** libsql gives an ArrayBuffer for a blob; everything else of ours works on Buffer. */
function withBuffers(row: unknown): unknown {
  const record = row as Record<string, unknown>;
  for (const column in record) {
    const value = record[column];
    if (value instanceof ArrayBuffer) {
      record[column] = Buffer.from(value);
    }
  }
  return record;
}

/** SQLite gives its log files the mode of the database file, so this one decides for all. */
function createOwnerOnly(file: string): void {
  if (file === ":memory:") {
    return;
  }
  closeSync(openSync(file, "a", OWNER_ONLY));
  chmodSync(file, OWNER_ONLY);
}
