import { type Transaction } from "@trefoil/graph-store";

/** An open transaction, as SHOW TRANSACTIONS shows it. */
export interface ShownTransaction {
  readonly id: string;
  /** Undefined while authentication is off. */
  readonly user: string | undefined;
  /** The last statement that was begun in it. */
  readonly statement: string | undefined;
  readonly isRunning: boolean;
  readonly startedAtMs: number;
  readonly elapsedMs: number;
}

/** The open transactions of everybody, kept by who begins them. */
export interface TransactionDirectory {
  /**
   * Those that the user of one of them may see: an administrator all, others their own.
   *
   * @throws Error  when `asking` is not among them, so that nobody knows whose it is
   */
  list(asking: Transaction): readonly ShownTransaction[];
  /** Ends one that was listed. */
  terminate(id: string): void;
}
