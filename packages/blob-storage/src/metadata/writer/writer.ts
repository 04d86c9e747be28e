import { type Clock } from "@trefoil/base";
import { StorageError } from "../../errors/storage-error.ts";
import { type Outcome, type Submission } from "./batch.ts";
import { type CommandInput, type CommandName, type CommandOutput } from "./commands.ts";

/** What runs batches: the writer's thread, or a runner in this one. */
export interface BatchTarget {
  run(batch: readonly Submission[]): Promise<readonly Outcome[]>;
  close(): Promise<void>;
}

interface Waiting {
  readonly submission: Submission;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** So that one commit does not grow without end and the first in it wait for the last. */
const BATCH_LIMIT = 256;

/**
 * The one way to change metadata. Changes that arrive while a commit is on its way share the next one (group
 * commit): the disk is synced once per batch, not once per request (rulings, Objects 7).
 */
export class MetadataWriter {
  readonly #target: BatchTarget;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #latest: Promise<unknown> | undefined;
  #closed = false;

  constructor(target: BatchTarget, clock: Clock) {
    this.#target = target;
    this.#clock = clock;
  }

  /**
   * Runs one change in a transaction.
   *
   * @returns its output, after the commit is on disk
   * @throws  StorageError what the change was refused with; `InsufficientStorage` when the disk is full;
   *          `InternalError` for anything else
   */
  write<Name extends CommandName>(command: Name, input: CommandInput<Name>): Promise<CommandOutput<Name>> {
    if (this.#closed) {
      return Promise.reject(new StorageError("ServerBusy"));
    }
    const decision = new Promise<CommandOutput<Name>>((resolve, reject) => {
      this.#waiting.push({
        submission: { command, input, nowMs: this.#clock.now() },
        resolve: resolve as (output: unknown) => void,
        reject,
      });
      this.#running ??= this.#drain();
    });
    this.#latest = decision;
    return decision;
  }

  /** Resolves when every change that was handed in before has been decided; later ones are not waited for. */
  async settled(): Promise<void> {
    // They are decided in the order they came in.
    await this.#latest?.catch(() => undefined);
  }

  /** Finishes what was handed in, then closes the database. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#target.close();
  }

  async #drain(): Promise<void> {
    // Lets requests that arrived in the same turn of the event loop into the same batch.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_LIMIT);
      await this.#settle(batch);
    }
    this.#running = undefined;
  }

  async #settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#target.run(batch.map(({ submission }) => submission));
      for (const [index, waiting] of batch.entries()) {
        settleOne(waiting, outcomes[index]);
      }
    } catch (error) {
      for (const { reject } of batch) {
        reject(new StorageError("InternalError", { cause: error }));
      }
    }
  }
}

function settleOne({ resolve, reject }: Waiting, outcome: Outcome | undefined): void {
  switch (outcome?.kind) {
    case "done":
      resolve(outcome.output);
      break;
    case "refused":
      reject(new StorageError(outcome.code, outcome.options));
      break;
    default:
      reject(
        new StorageError(outcome?.full === true ? "InsufficientStorage" : "InternalError", {
          detail: outcome?.message ?? "the writer gave no outcome",
        }),
      );
  }
}
