import { chmodSync, closeSync, openSync } from "node:fs";
import { assert } from "@trefoil/base";
import Database from "libsql";

/** Whether a commit returns when it is on disk, or when the operating system has it. */
type Synchronous = "FULL" | "NORMAL";

/** Pages of the log that are carried over into the file at once: one that changed often is carried once. */
const CARRIED_PAGES = 4_000;
const SETTINGS = [
  "busy_timeout = 5000",
  "journal_mode = WAL",
  "foreign_keys = ON",
  `wal_autocheckpoint = ${CARRIED_PAGES}`,
];

const OWNER_ONLY = 0o600;
/** Statements kept prepared; preparing costs three times what running a small one does. */
const PREPARED_LIMIT = 200;

/**
 * libsql with its sharp edges taken off (see the comments below). Statements run synchronously: in the thread that asks,
 * or in one of their own.
 */
export class EmbeddedDatabase {
  readonly #database: Database.Database;
  readonly #prepared = new Map<string, EmbeddedStatement>();

  constructor(file: string, synchronous: Synchronous = "FULL") {
    createOwnerOnly(file);
    this.#database = new Database(file);
    for (const setting of [...SETTINGS, `synchronous = ${synchronous}`]) {
      this.#database.prepare(`PRAGMA ${setting}`).all();
    }
  }

  prepare(sql: string): EmbeddedStatement {
    const known = this.#prepared.get(sql);
    if (known !== undefined) {
      return known;
    }
    const statement = new EmbeddedStatement(
      () => this.#database.prepare(sql),
      () => this.#prepared.delete(sql),
    );
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

/** A prepared statement; by itself it runs at once. */
export class EmbeddedStatement {
  readonly reader: boolean;
  readonly #statement: Database.Statement;
  /** Of its own: libsql gives a statement that has given all its rows the parameters of before when one is asked for. */
  #statementForOne: Database.Statement | undefined;
  #columns: readonly string[] = [];
  #emptyRow: Readonly<Record<string, unknown>> = {};
  readonly #prepare: () => Database.Statement;
  readonly #forget: () => void;

  constructor(prepare: () => Database.Statement, forget: () => void) {
    this.#prepare = prepare;
    this.#forget = forget;
    this.#statement = prepare();
    this.reader = this.#statement.reader;
    if (this.reader) {
      this.#statement.raw(true);
    }
  }

  all(parameters: readonly unknown[]): unknown[] {
    const rows = this.#guarded(() => this.#statement.all(parameters.map(bindable))) as unknown[][];
    return rows.map((values) => this.#rowOf(values));
  }

  /** The first row alone: of a statement with one row or none it costs a third of what {@link all} does. */
  first(parameters: readonly unknown[]): unknown {
    const statement = (this.#statementForOne ??= this.#prepare().raw(true));
    const values = this.#guarded(() => statement.get(parameters.map(bindable))) as unknown[] | undefined;
    return values === undefined ? undefined : this.#rowOf(values);
  }

  run(parameters: readonly unknown[]): Database.RunResult {
    return this.#guarded(() => this.#statement.run(parameters.map(bindable)));
  }

  /** Put together here, because libsql takes twice as long for an object as for a list of its values. */
  #rowOf(values: readonly unknown[]): unknown {
    if (this.#columns.length !== values.length) {
      // Not known yet, or a table of a `select *` has got another column.
      this.#columns = this.#statement.columns().map(({ name }) => name);
      this.#emptyRow = Object.fromEntries(this.#columns.map((name) => [name, null]));
    }
    const columns = this.#columns;
    // A copy has all its members at once; an object that gets one after the other is moved again and again.
    const row: Record<string, unknown> = { ...this.#emptyRow };
    for (let place = 0; place < columns.length; place += 1) {
      row[columns[place] as string] = values[place];
    }
    return row;
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

/** SQLite gives its log files the mode of the database file, so this one decides for all. */
function createOwnerOnly(file: string): void {
  if (file === ":memory:") {
    return;
  }
  closeSync(openSync(file, "a", OWNER_ONLY));
  chmodSync(file, OWNER_ONLY);
}
