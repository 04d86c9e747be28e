/** How many commits in a row tell that nobody else is about, and that the disk answers at once. */
const IN_A_ROW = 4;
/** What a thread that serves others may be kept waiting. */
const SHORT_MS = 1;

/** How much a store is asked at the moment. */
export interface Traffic {
  /** How many have begun and not ended. */
  openTransactions(): number;
  /** How many have ever begun. */
  transactionsBegun(): number;
}

/**
 * Tells when a commit may be synced by the thread that serves requests instead of the thread pool, which spares waking
 * two threads: when the last ones all came alone and were on the disk in no time (docs/decisions/0206).
 */
export class LoneCommits {
  readonly #traffic: Traffic;
  #begunBefore = 0;
  #isAlone = false;
  #inARow = 0;

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
  }

  /** Whether a commit that has just come may keep everybody waiting. Where it may not, its batch is still to be asked about. */
  mayBlockAtOnce(): boolean {
    return this.#inARow >= IN_A_ROW && this.#isOnly(1) && this.mayBlock(1);
  }

  /**
   * Whether the next commit may keep everybody waiting. To be asked once for each batch.
   *
   * @param commits  how many have gathered
   */
  mayBlock(commits: number): boolean {
    this.#isAlone = this.#isOnly(commits);
    this.#begunBefore = this.#traffic.transactionsBegun();
    return this.#isAlone && this.#inARow >= IN_A_ROW;
  }

  #isOnly(commits: number): boolean {
    const begun = this.#traffic.transactionsBegun() - this.#begunBefore;
    // One transaction beside it: who writes has often read before.
    return commits === 1 && this.#traffic.openTransactions() <= 1 && begun <= 2;
  }

  /** After the batch that was asked about. @param tookMs  how long its write and its sync took */
  synced(tookMs: number): void {
    this.#inARow = this.#isAlone && tookMs < SHORT_MS ? this.#inARow + 1 : 0;
  }
}
