import { type StorageErrorCode } from "../../errors/error-table.ts";
import { StorageError, type StorageErrorOptions } from "../../errors/storage-error.ts";
import { isQuotaReached, quotaErrorOf } from "../../quotas/account-quota.ts";
import { type Command, type CommandContext } from "../command.ts";
import { type MetadataConnection } from "../connection.ts";
import { Identifiers } from "../identifiers.ts";
import { statement, type Statement } from "../statement.ts";
import { commands, type CommandName } from "./commands.ts";

/** A change on its way to the writer: plain data, it crosses threads. */
export interface Submission {
  readonly command: CommandName;
  readonly input: unknown;
  readonly nowMs: number;
}

/** What came of a change. A `refused` one is the caller's fault, a `failed` one ours or the disk's. */
export type Outcome =
  | { readonly kind: "done"; readonly output: unknown }
  | {
      readonly kind: "refused";
      readonly code: StorageErrorCode;
      /** All that an answer needs of the error. */
      readonly options: StorageErrorOptions;
    }
  | { readonly kind: "failed"; readonly full: boolean; readonly message: string };

const call = (sql: string): { readonly sql: string; readonly values: readonly unknown[] } => ({ sql, values: [] });
const BEGIN = call("BEGIN IMMEDIATE");
const COMMIT = call("COMMIT");
const ROLLBACK = call("ROLLBACK");
const SAVEPOINT = call("SAVEPOINT change");
const RELEASE = call("RELEASE change");
const ROLLBACK_TO = call("ROLLBACK TO change");

/**
 * Runs changes on the one connection that writes. All changes of a batch share one commit, and so one sync of the
 * disk; each is undone by itself when it is refused.
 */
export class BatchRunner {
  readonly #connection: MetadataConnection;
  readonly #identifiers: Identifiers;

  constructor(connection: MetadataConnection) {
    this.#connection = connection;
    this.#identifiers = new Identifiers(largestId(connection));
  }

  /** @returns one outcome per submission, in order; when it returns, what is `done` is on disk */
  run(batch: readonly Submission[]): readonly Outcome[] {
    try {
      this.#connection.execute(BEGIN);
      const outcomes = batch.map((submission) => this.#runOne(submission));
      this.#connection.execute(COMMIT);
      return outcomes;
    } catch (error) {
      this.#rollBack();
      return batch.map(() => failed(error));
    }
  }

  #runOne(submission: Submission): Outcome {
    this.#connection.execute(SAVEPOINT);
    try {
      const output = this.#connection.run(this.#start(submission));
      this.#connection.execute(RELEASE);
      return { kind: "done", output };
    } catch (error) {
      if (isFatal(error)) {
        throw error;
      }
      this.#connection.execute(ROLLBACK_TO);
      this.#connection.execute(RELEASE);
      return outcomeOf(isQuotaReached(error) ? this.#connection.run(quotaErrorOf(submission.input)) : error);
    }
  }

  #start({ command, input, nowMs }: Submission): ReturnType<Command<unknown, unknown>> {
    const identifiers = this.#identifiers;
    const context: CommandContext = {
      nowMs,
      newEtag: () => identifiers.newEtag(nowMs),
      newMoment: () => identifiers.newMoment(nowMs),
      newId: () => identifiers.newId(nowMs),
    };
    // The submission's type ties the input to the command; the union of all commands can't be called by type.
    return (commands[command] as unknown as Command<unknown, unknown>)(input, context);
  }

  #rollBack(): void {
    try {
      this.#connection.execute(ROLLBACK);
    } catch {
      // SQLite has rolled back by itself already, as it does when the disk is full.
    }
  }
}

function outcomeOf(error: unknown): Outcome {
  return error instanceof StorageError
    ? { kind: "refused", code: error.code, options: optionsOf(error) }
    : failed(error);
}

function optionsOf({ message, status, elements, headers }: StorageError): StorageErrorOptions {
  return { message, status, elements, headers };
}

function failed(error: unknown): Outcome {
  return {
    kind: "failed",
    full: DISK_FULL.test(codeOf(error)),
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

/** A full disk, and a quota or a limit on the size of files, which SQLite reports as a failed write. */
const DISK_FULL = /^SQLITE_(?:FULL|IOERR_WRITE)/u;

/** Errors after which SQLite may have ended the transaction, so that a later change would run outside of one. */
function isFatal(error: unknown): boolean {
  return /^SQLITE_(?:FULL|IOERR|NOMEM|BUSY|INTERRUPT|CORRUPT)/u.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

const largestContainerId: Statement<object, { readonly id: number | null }> = statement((database) =>
  database.selectFrom("containers").select(({ fn }) => fn.max("container_id").as("id")),
);
const largestContentId: Statement<object, { readonly id: number | null }> = statement((database) =>
  database.selectFrom("contents").select(({ fn }) => fn.max("content_id").as("id")),
);
const largestAccountId: Statement<object, { readonly id: number | null }> = statement((database) =>
  database.selectFrom("accounts").select(({ fn }) => fn.max("account_id").as("id")),
);

/** Row numbers go on from the largest there is, also when the clock was set back. */
function largestId(connection: MetadataConnection): number {
  const ids = [largestContainerId, largestContentId, largestAccountId].map((largest) => {
    const [row] = connection.execute(largest.bind({})) as readonly { readonly id: number | null }[];
    return row?.id ?? 0;
  });
  return Math.max(...ids);
}
