import { Buffer } from "node:buffer";
import path from "node:path";
import { StartError } from "@trefoil/base";
import { StoreCorruptionError } from "../errors.ts";
import { decodeCommit } from "../log/commit-encoding.ts";
import { createLogFile, type LogPosition } from "../log/commit-log.ts";
import { decodeHeader, type FileHeader, HEADER_BYTES } from "../log/file-header.ts";
import { decodeRecord, findRecord } from "../log/log-record.ts";
import { isRoom } from "../log/room-ahead.ts";
import { logNumber } from "../log/segment-names.ts";
import { readWhole, type StoreFiles } from "../log/store-files.ts";
import { type LegacyIndexes } from "../indexes/legacy/legacy-indexes.ts";
import { type GraphBase } from "../tables/graph-base.ts";
import { type Schema } from "../schema/schema.ts";
import { type Tokens } from "../tables/token-table.ts";

/** What the logs are replayed onto. */
export interface ReplayTarget {
  readonly base: GraphBase;
  readonly tokens: Tokens;
  readonly schema: Schema;
  /** Brought up to date in place. */
  readonly legacy: LegacyIndexes;
  /** Of the checkpoint that `base` came from. */
  readonly header: FileHeader | undefined;
}

export interface Replayed {
  readonly storeId: Buffer;
  readonly epoch: number;
  readonly schema: Schema;
  readonly log: LogPosition;
}

/**
 * Applies every commit of the logs, in order, that the target doesn't have, cuts the torn tail of the last one and
 * leaves it open for more. What was committed after `untilMs` is cut off as well. `undefined` when there is neither a checkpoint nor a log whose header reached the disk.
 */
export async function replayLogs(
  files: StoreFiles,
  names: readonly string[],
  target: ReplayTarget,
  untilMs: number = Number.POSITIVE_INFINITY,
): Promise<Replayed | undefined> {
  let storeId = target.header?.storeId;
  let epoch = target.header?.epoch ?? 0;
  let schema = target.schema;
  let logEpoch: number | undefined;
  let last: { name: string; number: number; end: number } | undefined;
  for (const [index, name] of names.entries()) {
    const bytes = await readWhole(files, name, (size) => Buffer.allocUnsafeSlow(size));
    const isLast = index === names.length - 1;
    if (isLast && neverSynced(bytes)) {
      await files.remove(name);
      break;
    }
    const file = path.join(files.directory, name);
    const header = decodeHeader(bytes.subarray(0, HEADER_BYTES), file, "log");
    storeId ??= header.storeId;
    if (!storeId.equals(header.storeId)) {
      throw new StartError("store", `'${file}' belongs to another store than the files beside it.`);
    }
    // A gap is fine where a checkpoint covers it: an import is in no log.
    if (header.epoch < (logEpoch ?? 0) || header.epoch > epoch) {
      throw new StoreCorruptionError(`Commits before those in '${file}' are missing.`);
    }
    let isLate = false;
    const end = applyRecords(bytes, file, header.epoch, isLast, (recordEpoch, content) => {
      if (recordEpoch > epoch) {
        const { changes, timeMs } = decodeCommit(content, target.tokens, target.base);
        isLate = timeMs !== undefined && timeMs > untilMs;
        if (isLate) {
          return false;
        }
        target.base.apply(changes);
        target.legacy.apply(changes);
        schema = changes.schema.reduce((before, change) => before.after(change), schema);
        epoch = recordEpoch;
      }
      logEpoch = recordEpoch;
      return true;
    });
    logEpoch = Math.max(logEpoch ?? 0, header.epoch);
    last = { name, number: logNumber(name) ?? 0, end };
    if (isLate) {
      // Logs that follow are later still.
      for (const later of names.slice(index + 1)) {
        await files.remove(later);
      }
      break;
    }
  }
  if (storeId === undefined) {
    return undefined;
  }
  return { storeId, epoch, schema, log: await openForMore(files, storeId, epoch, logEpoch, last) };
}

/** @returns where the records end that are good and that `apply` takes */
function applyRecords(
  bytes: Buffer,
  file: string,
  before: number,
  mayBeTorn: boolean,
  apply: (epoch: number, content: Buffer) => boolean,
): number {
  let epoch = before;
  let at = HEADER_BYTES;
  while (at < bytes.length) {
    const record = decodeRecord(bytes, at);
    if (record === undefined) {
      checkTornTail(bytes, file, at, mayBeTorn);
      return at;
    }
    if (record.epoch !== epoch + 1) {
      throw new StoreCorruptionError(`'${file}' has commit ${record.epoch} where ${epoch + 1} belongs.`);
    }
    epoch = record.epoch;
    if (!apply(epoch, record.content)) {
      return at;
    }
    at = record.end;
  }
  return at;
}

/** A tail is torn only where nothing was synced: a later record that was written after a sync beyond it says otherwise. */
function checkTornTail(bytes: Buffer, file: string, at: number, mayBeTorn: boolean): void {
  if (isRoom(bytes, at)) {
    return;
  }
  let later = findRecord(bytes, at + 1);
  while (later !== undefined && later.syncedBefore <= at) {
    later = findRecord(bytes, later.end);
  }
  if (later !== undefined || !mayBeTorn) {
    throw new StoreCorruptionError(`'${file}' is damaged at byte ${at}: commits after it are intact.`);
  }
}

async function openForMore(
  files: StoreFiles,
  storeId: Buffer,
  epoch: number,
  logEpoch: number | undefined,
  last: { name: string; number: number; end: number } | undefined,
): Promise<LogPosition> {
  // A checkpoint may be ahead of the logs beside it (a restored copy): then its commits must not be counted again.
  if (last === undefined || logEpoch !== epoch) {
    const number = (last?.number ?? 0) + 1;
    return { file: await createLogFile(files, number, storeId, epoch), number, epoch };
  }
  const file = await files.open(last.name, "log");
  if (file.size > last.end) {
    await file.truncate(last.end);
    await file.sync();
  }
  return { file, number: last.number, epoch };
}

/** A log whose making was cut short: too short for a header, or with room for one that was never filled. */
function neverSynced(bytes: Buffer): boolean {
  return bytes.length < HEADER_BYTES || bytes.every((byte) => byte === 0);
}
