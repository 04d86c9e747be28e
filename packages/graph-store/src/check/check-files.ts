import { Buffer } from "node:buffer";
import { readCheckpoint } from "../checkpoint/checkpoint-reader.ts";
import { type CommitLog } from "../log/commit-log.ts";
import { decodeHeader, HEADER_BYTES } from "../log/file-header.ts";
import { decodeRecord } from "../log/log-record.ts";
import { isRoom } from "../log/room-ahead.ts";
import { checkpointEpoch, logName, logNumber } from "../log/segment-names.ts";
import { readWhole, type StoreFiles } from "../log/store-files.ts";
import { Problems } from "./problems.ts";

/** Reads every checkpoint and log anew and checks them byte by byte, as far as they are on the disk. */
export async function checkFiles(files: StoreFiles, log: CommitLog): Promise<readonly string[]> {
  const problems = new Problems();
  const { number, bytes } = log.position;
  for (const name of await files.names()) {
    try {
      if (checkpointEpoch(name) !== undefined) {
        await readCheckpoint(files, name);
      } else if (logNumber(name) !== undefined) {
        await checkLog(files, name, name === logName(number) ? bytes : undefined, problems);
      }
    } catch (error) {
      // A checkpoint may have gone while this one was being read.
      if ((await files.names()).includes(name)) {
        problems.add(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  return problems.all();
}

async function checkLog(files: StoreFiles, name: string, limit: number | undefined, problems: Problems): Promise<void> {
  const whole = await readWhole(files, name, (size) => Buffer.alloc(size));
  const bytes = limit === undefined ? whole : whole.subarray(0, limit);
  let { epoch } = decodeHeader(bytes.subarray(0, HEADER_BYTES), name, "log");
  for (let at = HEADER_BYTES; at < bytes.length;) {
    const record = decodeRecord(bytes, at);
    if (record === undefined && isRoom(bytes, at)) {
      return;
    }
    if (record === undefined) {
      problems.add(`${name}: no commit can be read at byte ${at}`);
      return;
    }
    if (record.epoch !== epoch + 1) {
      problems.add(`${name}: commit ${record.epoch} stands where ${epoch + 1} belongs`);
    }
    epoch = record.epoch;
    at = record.end;
  }
}
