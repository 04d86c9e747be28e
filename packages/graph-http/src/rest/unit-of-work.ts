import { type GraphAccess } from "@trefoil/graph-engine";
import { type ReadView, type TokenTables, type Transaction } from "@trefoil/graph-store";

/** The transaction of a REST call, or of a whole batch of them, with a view that follows its writes. */
export class UnitOfWork {
  readonly tokens: TokenTables;
  readonly #begin: () => Transaction;
  #transaction: Transaction;
  #view: ReadView | undefined;

  constructor(begin: () => Transaction, tokens: TokenTables) {
    this.#begin = begin;
    this.#transaction = begin();
    this.tokens = tokens;
  }

  get transaction(): Transaction {
    return this.#transaction;
  }

  /** What this call sees: the committed state as of the last {@link refresh}, and its own writes. */
  get view(): ReadView {
    this.#view ??= this.transaction.openView();
    return this.#view;
  }

  get graph(): GraphAccess {
    return { view: this.view, tokens: this.tokens };
  }

  /** From now on the newest committed state is seen: after waiting for a lock, and between the jobs of a batch. */
  refresh(): void {
    if (this.#view !== undefined) {
      this.transaction.releaseView(this.#view);
      this.#view = undefined;
    }
  }

  /** Holds the node against other writers until the end of the transaction. */
  async lockNode(node: number): Promise<void> {
    while (!this.transaction.lockNode(node)) {
      await this.transaction.waitForLock();
      this.refresh();
    }
  }

  async lockRelationship(relationship: number): Promise<void> {
    while (!this.transaction.lockRelationship(relationship)) {
      await this.transaction.waitForLock();
      this.refresh();
    }
  }

  /** Keeps the changes, unless the call has given them up itself. */
  async commit(): Promise<void> {
    if (this.transaction.state === "open") {
      this.refresh();
      await this.transaction.commit();
    }
  }

  /** Gives up what was done so far; what follows is in a transaction of its own. */
  beginAgain(): void {
    this.rollback();
    this.#transaction = this.#begin();
  }

  rollback(): void {
    if (this.transaction.state === "open") {
      this.refresh();
      this.transaction.rollback();
    }
  }
}
