import { Buffer } from "node:buffer";
import { StoreError } from "../errors.ts";
import { type Tokens } from "../tables/token-table.ts";
import { encodeTokens, type TokenMarks, tokenMarks } from "./commit-encoding.ts";
import { encodeHeader, HEADER_BYTES } from "./file-header.ts";
import { encodeRecord } from "./log-record.ts";
import { LoneCommits, type Traffic } from "./lone-commits.ts";
import { RoomAhead } from "./room-ahead.ts";
import { logName } from "./segment-names.ts";
import { type StoreFile, type StoreFiles } from "./store-files.ts";

/** Where a log goes on after recovery. */
export interface LogPosition {
  readonly file: StoreFile;
  readonly number: number;
  /** Epoch of the last commit in it (or before it). */
  readonly epoch: number;
}

interface Pending {
  readonly changes: Buffer;
  readonly publish: () => void;
  readonly done: () => void;
  readonly failed: (reason: Error) => void;
}

interface EncodedCommits {
  readonly bytes: Buffer;
  /** The names that are in the log with them. */
  readonly names: TokenMarks;
}

/**
 * The append-only log with group commit: while one batch of commits is being synced, others gather and become the next
 * one. A commit is made visible (`publish`) and answered only after its sync, in log order, so nothing that anyone has
 * seen can be lost and nothing builds on what could be (decisions/0047).
 *
 * What finds no room on the disk is taken back and only its own commits fail; any other failure ends all writing, because
 * what is on the disk is then unknown.
 */
export class CommitLog {
  readonly #files: StoreFiles;
  readonly #storeId: Buffer;
  readonly #tokens: Tokens;
  readonly #lone: LoneCommits;
  #file: StoreFile;
  #room: RoomAhead;
  #number: number;
  #epoch: number;
  #synced: number;
  #tokensLogged: TokenMarks;
  #pending: Pending[] = [];
  #rotations: { readonly done: () => void; readonly failed: (reason: unknown) => void }[] = [];
  #running: Promise<void> | undefined;
  #hasSyncedInTurn = false;
  #broken: StoreError | undefined;
  #bytesSinceRotation: number;

  /** @param tokensLogged  the names that recovery found: later ones go with the next commit */
  constructor(
    files: StoreFiles,
    storeId: Buffer,
    tokens: Tokens,
    position: LogPosition,
    tokensLogged: TokenMarks,
    traffic: Traffic,
  ) {
    this.#files = files;
    this.#storeId = storeId;
    this.#tokens = tokens;
    this.#lone = new LoneCommits(traffic);
    this.#file = position.file;
    this.#room = new RoomAhead(position.file);
    this.#number = position.number;
    this.#epoch = position.epoch;
    this.#synced = position.file.size;
    this.#bytesSinceRotation = position.file.size - HEADER_BYTES;
    this.#tokensLogged = tokensLogged;
  }

  get number(): number {
    return this.#number;
  }

  /** Up to where which file holds commits that are on the disk, and the last of them. */
  get position(): { readonly number: number; readonly bytes: number; readonly epoch: number } {
    return { number: this.#number, bytes: this.#synced, epoch: this.#epoch };
  }

  get bytesSinceRotation(): number {
    return this.#bytesSinceRotation;
  }

  /**
   * Appends one commit; without a promise where it is on the disk and visible when this returns.
   *
   * @param changes  as `encodeChanges` gives them
   * @param publish  called once the commit is on disk, in log order, before this resolves
   * @throws StoreError  (the promise) `Transaction.CouldNotWriteToLog`; the commit has not happened
   */
  append(changes: Buffer, publish: () => void): Promise<void> | undefined {
    if (this.#broken !== undefined) {
      return Promise.reject(this.#broken);
    }
    if (this.#running === undefined && !this.#hasSyncedInTurn && this.#lone.mayBlockAtOnce()) {
      const encoded = this.#encode([changes]);
      if (this.#room.isReadyFor(encoded.bytes.length, this.#synced)) {
        return this.#commitAtOnce(encoded, publish);
      }
    }
    return new Promise((done, failed) => {
      this.#pending.push({ changes, publish, done, failed });
      this.#run();
    });
  }

  /** Goes on in a new file; resolves when that is there. The former one holds all commits up to now. */
  rotate(): Promise<void> {
    if (this.#broken !== undefined) {
      return Promise.reject(this.#broken);
    }
    return new Promise((done, failed) => {
      this.#rotations.push({ done, failed });
      this.#run();
    });
  }

  /** Goes on in a new file after commits that only a checkpoint has; nothing may be pending. */
  async continueAfter(epoch: number): Promise<void> {
    this.#epoch = epoch;
    await this.rotate();
  }

  /** Waits for what was appended and closes the file. */
  async close(): Promise<void> {
    await this.#running;
    this.#broken ??= new StoreError("DatabaseError.Transaction.CouldNotWriteToLog", "The store is closed.");
    try {
      await this.#room.giveBack(this.#synced);
    } finally {
      await this.#file.close();
    }
  }

  #run(): void {
    if (this.#running === undefined) {
      this.#gatherDuring(this.#work());
    }
  }

  /** Until `work` has ended, what comes waits for the next batch. */
  #gatherDuring(work: Promise<unknown>): void {
    this.#running = work
      .then(() => undefined)
      .finally(() => {
        this.#running = undefined;
        // What came between the last look and here.
        if (this.#pending.length > 0 || this.#rotations.length > 0) {
          this.#run();
        }
      });
  }

  async #work(): Promise<void> {
    // Commits of the same turn of the event loop share the first sync.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    while (this.#pending.length > 0 || this.#rotations.length > 0) {
      await this.#rotateForAll();
      const batch = this.#pending;
      this.#pending = [];
      if (batch.length > 0) {
        await this.#commit(batch);
      }
    }
  }

  async #rotateForAll(): Promise<void> {
    const waiting = this.#rotations;
    this.#rotations = [];
    if (waiting.length === 0) {
      return;
    }
    try {
      await this.#startFile();
    } catch (reason) {
      waiting.forEach(({ failed }) => failed(reason));
      return;
    }
    waiting.forEach(({ done }) => done());
  }

  async #commit(batch: readonly Pending[]): Promise<void> {
    const reason = this.#broken ?? (await this.#writeAndSync(batch));
    for (const { publish, done, failed } of batch) {
      if (reason === undefined) {
        publish();
        done();
      } else {
        failed(reason);
      }
    }
  }

  async #writeAndSync(batch: readonly Pending[]): Promise<StoreError | undefined> {
    const encoded = this.#encode(batch.map(({ changes }) => changes));
    try {
      await this.#write(encoded.bytes, batch.length);
    } catch (cause) {
      return this.#failed(cause);
    }
    this.#written(encoded, batch.length);
    return undefined;
  }

  /** The only commit of its turn so far: it need not wait for others to share its sync. */
  #commitAtOnce(encoded: EncodedCommits, publish: () => void): Promise<void> | undefined {
    try {
      this.#writeInPlace(encoded.bytes);
    } catch (cause) {
      const failed = this.#failed(cause);
      this.#gatherDuring(failed);
      return failed.then((reason) => Promise.reject(reason));
    }
    this.#written(encoded, 1);
    publish();
    return undefined;
  }

  #encode(commits: readonly Buffer[]): EncodedCommits {
    const names = tokenMarks(this.#tokens);
    const records = commits.map((changes, index) => {
      const tokens = encodeTokens(this.#tokens, index === 0 ? this.#tokensLogged : names);
      return encodeRecord(this.#epoch + 1 + index, this.#synced, tokens, changes);
    });
    return { bytes: records.length === 1 ? (records[0] as Buffer) : Buffer.concat(records), names };
  }

  #written({ bytes, names }: EncodedCommits, commits: number): void {
    this.#synced += bytes.length;
    this.#room.written(this.#synced, bytes.length);
    this.#bytesSinceRotation += bytes.length;
    this.#epoch += commits;
    this.#tokensLogged = names;
  }

  /** Resolves when all of `bytes` is on the disk. */
  async #write(bytes: Buffer, commits: number): Promise<void> {
    if (this.#lone.mayBlock(commits) && this.#room.isReadyFor(bytes.length, this.#synced)) {
      this.#writeInPlace(bytes);
      return;
    }
    const beganMs = performance.now();
    const free = this.#room.whenFree(this.#synced + bytes.length);
    if (free !== undefined) {
      await free;
    }
    await this.#file.writeSynced(bytes, this.#synced);
    this.#lone.synced(performance.now() - beganMs);
  }

  #writeInPlace(bytes: Buffer): void {
    // One at most before others have had their turn: who commits again and again must not keep them out.
    this.#hasSyncedInTurn = true;
    setImmediate(() => {
      this.#hasSyncedInTurn = false;
    });
    const beganMs = performance.now();
    this.#file.writeSyncedInPlace(bytes, this.#synced);
    this.#lone.synced(performance.now() - beganMs);
  }

  /** What a failed write leads to. */
  async #failed(cause: unknown): Promise<StoreError> {
    return isForLackOfSpace(cause)
      ? this.#takeBack(cause)
      : this.#break("A sync of the log failed: no more writing until the store is opened again.", cause);
  }

  async #takeBack(cause: unknown): Promise<StoreError> {
    try {
      await this.#room.giveBack(this.#synced);
    } catch (second) {
      return this.#break("The log could neither be written nor cut back: no more writing.", second);
    }
    return new StoreError(
      "DatabaseError.Transaction.CouldNotWriteToLog",
      "The disk is full: the transaction was rolled back. Reading goes on; writing does when there is space again.",
      { cause },
    );
  }

  #break(message: string, cause: unknown): StoreError {
    this.#broken = new StoreError("DatabaseError.Transaction.CouldNotWriteToLog", message, { cause });
    return this.#broken;
  }

  async #startFile(): Promise<void> {
    const number = this.#number + 1;
    const file = await createLogFile(this.#files, number, this.#storeId, this.#epoch);
    const [former, room, end] = [this.#file, this.#room, this.#synced];
    this.#file = file;
    this.#room = new RoomAhead(file);
    this.#number = number;
    this.#synced = file.size;
    this.#bytesSinceRotation = 0;
    try {
      await room.giveBack(end);
    } finally {
      await former.close();
    }
  }
}

/** No space on the disk or in the quota, or a file that may not grow. */
function isForLackOfSpace(cause: unknown): boolean {
  const { code } = cause as { code?: unknown };
  return code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
}

/** A log without records, on the disk under its name. */
export async function createLogFile(
  files: StoreFiles,
  number: number,
  storeId: Buffer,
  epoch: number,
): Promise<StoreFile> {
  const file = await files.create(logName(number), "log");
  try {
    await file.write(encodeHeader({ kind: "log", storeId, epoch }), 0);
    await file.sync();
    await files.syncNames();
    return file;
  } catch (error) {
    await file.close();
    await files.remove(logName(number));
    throw error;
  }
}
