import { type Clock } from "@trefoil/base";
import { type ShownTransaction, type TransactionDirectory } from "@trefoil/graph-engine";
import { type Isolation, type TokenTables, type Transaction } from "@trefoil/graph-store";
import { type Account } from "../authentication/account-store.ts";
import { includesRole } from "../authentication/roles.ts";
import { restrictedTransaction } from "../authentication/restricted-transaction.ts";
import { GraphRequestError } from "../errors.ts";

/** What the registry needs of the store. */
export interface TransactionSource {
  readonly tokens: TokenTables;
  begin(options?: { readonly isolation?: Isolation | undefined }): Transaction;
}

/** A transaction that a client may come back to, while one request works in it. */
export interface TransactionLease {
  readonly id: number;
  readonly transaction: Transaction;
  /** Aborted when the transaction is taken away from the request: its client has gone, or another one deletes it. */
  readonly signal: AbortSignal;
  /** Gives it back: it lives for another timeout from now on. Returns when it will expire, in epoch milliseconds. */
  keep(): number;
  /** It is over (committed or rolled back): its id is unknown from now on. */
  forget(): void;
  /** Cancels what runs in it. */
  interrupt(reason: Error): void;
  /** Tells who asks what runs in it now. */
  note(statement: string): void;
}

/** An open transaction, for showing. */
export interface OpenTransaction {
  readonly id: number;
  /** Undefined while authentication is off. */
  readonly user: string | undefined;
  /** Whether a request is working in it. */
  readonly isBusy: boolean;
  /** The last statement that was begun in it. */
  readonly statement: string | undefined;
  readonly startedAtMs: number;
  /** Undefined while it is busy. */
  readonly expiresAtMs: number | undefined;
}

/** Below this the timeout would end transactions between two requests of a slow client. */
const MINIMUM_TIMEOUT_MS = 2_000;

/** Unused interruptions to keep for those who come next. */
const MAXIMUM_UNUSED = 64;

/**
 * The transactions that are open over HTTP, by id. Ids count from 1 and are given to one-shot commits too. A transaction
 * that no request has used for the timeout is rolled back by a sweep that runs every half timeout, so that it lives
 * for 1 to 1.5 timeouts after the last answer.
 *
 * @source graph-http §4.1, §4.4
 */
export class TransactionRegistry {
  readonly #source: TransactionSource;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #isolation: Isolation | undefined;
  readonly #onExpired: (id: number) => void;
  readonly #open = new Map<number, Entry>();
  readonly #home: Home;
  readonly #sweeper: NodeJS.Timeout;
  #lastId = 0;

  constructor(options: {
    readonly source: TransactionSource;
    readonly clock: Clock;
    readonly timeoutMs: number;
    /** Of transactions that don't ask for one. */
    readonly isolation?: Isolation | undefined;
    readonly onExpired?: ((id: number) => void) | undefined;
  }) {
    this.#source = options.source;
    this.#clock = options.clock;
    this.#timeoutMs = Math.max(options.timeoutMs, MINIMUM_TIMEOUT_MS);
    this.#isolation = options.isolation;
    this.#onExpired = options.onExpired ?? (() => undefined);
    const unused: AbortController[] = [];
    this.#home = {
      expiryFromNow: () => this.#clock.now() + this.#timeoutMs,
      interruption: () => unused.pop() ?? new AbortController(),
      forget: ({ id }, interruption) => {
        this.#open.delete(id);
        if (!interruption.signal.aborted && unused.length < MAXIMUM_UNUSED) {
          unused.push(interruption);
        }
      },
    };
    this.#sweeper = setInterval(() => this.sweep(), this.#timeoutMs / 2).unref();
  }

  /** Transactions that are open at present. */
  get size(): number {
    return this.#open.size;
  }

  /** By id. */
  list(): readonly OpenTransaction[] {
    return Array.from(this.#open.values(), ({ id, owner, isBusy, statement, startedAtMs, expiresAtMs }) => ({
      id,
      user: owner?.name,
      isBusy,
      statement,
      startedAtMs,
      expiresAtMs: isBusy ? undefined : expiresAtMs,
    }));
  }

  /**
   * @param owner  whose it is: nobody else gets at it, and it does what his role allows
   * @throws StoreError when the store does not offer `isolation`
   */
  begin(isolation: Isolation | undefined, owner?: Account): TransactionLease {
    const unrestricted = this.#source.begin({ isolation: isolation ?? this.#isolation });
    const transaction =
      owner === undefined ? unrestricted : restrictedTransaction(unrestricted, owner.role, this.#source.tokens);
    const entry = new Entry(++this.#lastId, owner, transaction, this.#clock.now(), this.#home);
    this.#open.set(entry.id, entry);
    return entry;
  }

  /**
   * The transaction `id` for one request.
   *
   * @throws GraphRequestError `UnknownId` when there is none (any more), `ConcurrentRequest` while another request has it
   */
  acquire(id: number, owner?: Account): TransactionLease {
    const entry = this.#findOf(id, owner);
    if (entry.isBusy) {
      throw new GraphRequestError(
        "ClientError.Transaction.ConcurrentRequest",
        "The requested transaction is being used concurrently by another request.",
      );
    }
    entry.begin();
    return entry;
  }

  /**
   * Rolls the transaction `id` back. A request that is working in it is interrupted and rolls it back itself.
   *
   * @throws GraphRequestError `UnknownId`
   */
  rollback(id: number, owner?: Account): void {
    const entry = this.#findOf(id, owner);
    this.#open.delete(id);
    this.#end(entry, "The transaction has been rolled back by another request.");
  }

  /** The same for an administrator, whose transactions they all are. @throws GraphRequestError `UnknownId` */
  terminate(id: number): void {
    const entry = this.#find(id);
    this.#open.delete(id);
    this.#end(entry, "The transaction has been terminated by an administrator.");
  }

  /** Shown to and ended by statements: {@link TransactionDirectory}. */
  get directory(): TransactionDirectory {
    return {
      list: (asking) => this.#shownTo(asking),
      terminate: (id) => this.terminate(Number(id)),
    };
  }

  #shownTo(asking: Transaction): readonly ShownTransaction[] {
    const entry = Array.from(this.#open.values()).find(({ transaction }) => transaction === asking);
    if (entry === undefined) {
      throw new Error("Transactions can only be asked for through the transactional endpoint.");
    }
    const { owner } = entry;
    const seesAll = owner === undefined || includesRole(owner.role, "admin");
    const nowMs = this.#clock.now();
    return Array.from(this.#open.values())
      .filter((each) => seesAll || isOf(each, owner))
      .map(({ id, owner: user, statement, isBusy, startedAtMs }) => ({
        id: String(id),
        user: user?.name,
        statement,
        isRunning: isBusy,
        startedAtMs,
        elapsedMs: nowMs - startedAtMs,
      }));
  }

  /** Ends what has not been used for the timeout. */
  sweep(): void {
    const nowMs = this.#clock.now();
    for (const entry of this.#open.values()) {
      if (!entry.isBusy && entry.expiresAtMs <= nowMs) {
        this.#open.delete(entry.id);
        entry.transaction.rollback();
        this.#onExpired(entry.id);
      }
    }
  }

  /** Rolls everything back: the server stops. */
  close(): void {
    clearInterval(this.#sweeper);
    for (const entry of this.#open.values()) {
      this.#end(entry, "The server is shutting down.");
    }
    this.#open.clear();
  }

  #find(id: number): Entry {
    const entry = this.#open.get(id);
    if (entry === undefined) {
      throw unknownId();
    }
    return entry;
  }

  /** Other people's transactions are as unknown as those that never were. */
  #findOf(id: number, owner: Account | undefined): Entry {
    const entry = this.#find(id);
    if (!isOf(entry, owner)) {
      throw unknownId();
    }
    return entry;
  }

  #end(entry: Entry, why: string): void {
    if (entry.isBusy) {
      entry.interrupt(new GraphRequestError("TransientError.Transaction.Terminated", why));
    } else {
      entry.transaction.rollback();
    }
  }
}

/** What an entry needs of the registry that it is in. */
interface Home {
  readonly expiryFromNow: () => number;
  /** Making one costs as much as a small statement: those that were never needed serve again. */
  readonly interruption: () => AbortController;
  readonly forget: (entry: Entry, interruption: AbortController) => void;
}

/** A transaction of the registry; while it is busy, the lease of the request that works in it. */
class Entry implements TransactionLease {
  readonly id: number;
  readonly owner: Account | undefined;
  readonly transaction: Transaction;
  readonly startedAtMs: number;
  readonly #home: Home;
  #interruption: AbortController;
  statement: string | undefined;
  expiresAtMs: number = Number.POSITIVE_INFINITY;
  isBusy = true;

  constructor(id: number, owner: Account | undefined, transaction: Transaction, startedAtMs: number, home: Home) {
    this.id = id;
    this.owner = owner;
    this.transaction = transaction;
    this.startedAtMs = startedAtMs;
    this.#home = home;
    this.#interruption = home.interruption();
  }

  get signal(): AbortSignal {
    return this.#interruption.signal;
  }

  /** Another request begins to work in it. */
  begin(): void {
    this.isBusy = true;
    if (this.signal.aborted) {
      this.#interruption = new AbortController();
    }
  }

  keep(): number {
    this.isBusy = false;
    this.expiresAtMs = this.#home.expiryFromNow();
    return this.expiresAtMs;
  }

  forget(): void {
    this.isBusy = false;
    this.#home.forget(this, this.#interruption);
  }

  interrupt(reason: Error): void {
    this.#interruption.abort(reason);
    this.transaction.terminate(reason);
  }

  note(statement: string): void {
    this.statement = statement;
  }
}

function isOf(entry: Entry, owner: Account | undefined): boolean {
  return entry.owner?.name === owner?.name && (entry.owner?.isForeign ?? false) === (owner?.isForeign ?? false);
}

function unknownId(): GraphRequestError {
  return new GraphRequestError(
    "ClientError.Transaction.UnknownId",
    "Unrecognized transaction id. Transaction may have timed out and been rolled back.",
  );
}
