import { assert, must } from "@trefoil/base";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  ValueNode,
} from "kysely";
import { type EmbeddedDatabase } from "./embedded-database.ts";
import { type LogSync } from "./log-sync.ts";
import { type AheadQuery } from "./prepared-query.ts";

/** A database of this process and the log that its commits have to reach the disk in. */
export interface OpenedDatabase {
  readonly database: EmbeddedDatabase;
  /** Undefined for one in memory. */
  readonly log: LogSync | undefined;
  close(): void;
}

/**
 * The one connection there is, lent to one transaction or statement at a time. A commit is acknowledged when it is on
 * disk, and what a statement read is told when that is; the connection doesn't wait for the disk, so that others commit
 * meanwhile and share the next sync. (decisions/0161)
 */
export class EmbeddedDriver implements Driver {
  readonly #open: () => OpenedDatabase;
  #opened: OpenedDatabase | undefined;
  #isLent = false;
  /** Who waits for the connection, first come first served. */
  readonly #waiting: (() => void)[] = [];
  /** For the next who asks: Kysely remembers, weakly, each one that it was ever given. */
  readonly #idle: Lease[] = [];

  constructor(open: () => OpenedDatabase) {
    this.#open = open;
  }

  init(): Promise<void> {
    this.#opened = this.#open();
    return Promise.resolve();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const lease = this.#idle.pop() ?? this.#newLease();
    await lease.take();
    return lease;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await leaseOf(connection).begin();
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await leaseOf(connection).end("commit");
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await leaseOf(connection).end("rollback");
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    const lease = leaseOf(connection);
    lease.give();
    this.#idle.push(lease);
    return Promise.resolve();
  }

  destroy(): Promise<void> {
    this.#opened?.close();
    return Promise.resolve();
  }

  #newLease(): Lease {
    const { database, log } = must(this.#opened, "a driver is asked for connections after its start");
    return new Lease(database, log, { take: () => this.#take(), give: () => this.#give() });
  }

  #take(): Promise<void> | undefined {
    if (!this.#isLent) {
      this.#isLent = true;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Handed on without being free in between: nobody overtakes who waits. */
  #give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#isLent = false;
    } else {
      next();
    }
  }
}

/** The right to use the connection. */
interface Loan {
  take(): Promise<void> | undefined;
  give(): void;
}

function leaseOf(connection: DatabaseConnection): Lease {
  return connection as Lease;
}

/** The connection as it is lent to one. */
export class Lease implements DatabaseConnection {
  readonly #database: EmbeddedDatabase;
  readonly #log: LogSync | undefined;
  readonly #loan: Loan;
  #holds = false;
  #isInTransaction = false;
  /** Whether the transaction has a statement that may have written. */
  #mayHaveWritten = false;

  constructor(database: EmbeddedDatabase, log: LogSync | undefined, loan: Loan) {
    this.#database = database;
    this.#log = log;
    this.#loan = loan;
  }

  async take(): Promise<void> {
    if (!this.#holds) {
      await this.#loan.take();
      this.#holds = true;
    }
  }

  give(): void {
    if (this.#holds) {
      this.#holds = false;
      this.#loan.give();
    }
  }

  async begin(): Promise<void> {
    await this.take();
    this.#run(BEGIN);
    this.#isInTransaction = true;
    this.#mayHaveWritten = false;
  }

  async end(how: "commit" | "rollback"): Promise<void> {
    if (!this.#isInTransaction) {
      // Committed, and then the disk failed: there is nothing to take back, and the connection may be another's.
      return;
    }
    // A commit that fails is taken back; nothing comes after a failed rollback.
    this.#isInTransaction = how === "commit";
    this.#run(how === "commit" ? COMMIT : ROLLBACK);
    this.#isInTransaction = false;
    if (how === "commit" && this.#mayHaveWritten) {
      this.#log?.wrote();
    }
    await this.#whenSynced();
  }

  async executeQuery<Row>(query: AheadQuery): Promise<QueryResult<Row>> {
    if (!this.#holds) {
      await this.take();
    }
    if (this.#isInTransaction) {
      return this.executeInTransaction(query);
    }
    const isRead = SelectQueryNode.is(query.query);
    const result = this.#run<Row>(query, isRead && isForOneRow(query.query));
    if (!isRead) {
      this.#log?.wrote();
    } else if (query.isAheadOfDisk === true) {
      return result;
    }
    const synced = this.#whenSynced();
    if (synced !== undefined) {
      await synced;
    }
    return result;
  }

  /** At once: in a transaction nothing waits for the disk but its end. */
  executeInTransaction<Row>({ sql, parameters, query }: CompiledQuery): QueryResult<Row> {
    assert(this.#isInTransaction, "who doesn't wait for a statement waits for the end of its transaction");
    const isRead = SelectQueryNode.is(query);
    this.#mayHaveWritten ||= !isRead;
    return this.#run<Row>({ sql, parameters }, isRead && isForOneRow(query));
  }

  /** All rows at once: a half-run statement would lock its tables for the only connection there is. */
  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }

  /** Others have the connection meanwhile. */
  #whenSynced(): Promise<void> | undefined {
    const synced = this.#log?.whenSynced();
    if (synced !== undefined) {
      this.give();
    }
    return synced;
  }

  #run<Row>({ sql, parameters }: Pick<CompiledQuery, "sql" | "parameters">, isForOne = false): QueryResult<Row> {
    const statement = this.#database.prepare(sql);
    if (isForOne) {
      const row = statement.first(parameters);
      return { rows: row === undefined ? [] : [row as Row] };
    }
    if (statement.reader) {
      return { rows: statement.all(parameters) as Row[] };
    }
    const { changes } = statement.run(parameters);
    return { numAffectedRows: BigInt(changes), rows: [] };
  }
}

const BEGIN = CompiledQuery.raw("begin");
const COMMIT = CompiledQuery.raw("commit");
const ROLLBACK = CompiledQuery.raw("rollback");

/** Whether it says `limit 1`: a first row is cheaper to get than a list of it. */
function isForOneRow({ limit }: SelectQueryNode): boolean {
  return limit !== undefined && ValueNode.is(limit.limit) && limit.limit.value === 1;
}
