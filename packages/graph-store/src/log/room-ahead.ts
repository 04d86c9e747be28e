import { Buffer } from "node:buffer";
import { type StoreFile } from "./store-files.ts";

/** Some thousand small commits. */
const ROOM_BYTES = 256 * 1024;
/** Beside the bytes of a larger write the length of the file costs nothing. */
const SMALL_WRITE_BYTES = 16 * 1024;

/**
 * Zeros at the end of a log, on the disk before commits need the room: a write into them changes neither the length of the
 * file nor where its parts lie, so that its sync has nothing but its own bytes to wait for. Recovery takes zeros for the
 * end of a log (docs/decisions/0196).
 */
export class RoomAhead {
  readonly #file: StoreFile;
  /** Up to where the file has been filled. */
  #end = 0;
  #filling: Promise<void> | undefined;
  #isWanted = true;

  constructor(file: StoreFile) {
    this.#file = file;
  }

  /** To be awaited before a write up to `until`: the zeros that are being written must not come after it. */
  whenFree(until: number): Promise<void> | undefined {
    return until > this.#end ? this.#filling : undefined;
  }

  /** Whether a write of `bytes` at `at` is small, finds room and has no other beside it: it will be on the disk soon. */
  isReadyFor(bytes: number, at: number): boolean {
    return bytes <= SMALL_WRITE_BYTES && at + bytes <= this.#end && this.#filling === undefined;
  }

  /** After a write of `bytes` that ended at `at`: small ones will want room. */
  written(at: number, bytes: number): void {
    if (
      this.#isWanted &&
      this.#filling === undefined &&
      bytes <= SMALL_WRITE_BYTES &&
      this.#end - at < ROOM_BYTES / 2
    ) {
      this.#filling = this.#fill(Math.max(this.#end, at));
    }
  }

  /** The file is cut to what was written into it; no more is filled. */
  async giveBack(at: number): Promise<void> {
    this.#isWanted = false;
    await this.#filling;
    this.#end = 0;
    if (this.#file.size > at) {
      await this.#file.truncate(at);
    }
  }

  /** A disk that has no room ahead may still have it for commits. */
  async #fill(start: number): Promise<void> {
    try {
      await this.#file.writeSynced(ZEROS, start);
      this.#end = start + ROOM_BYTES;
    } catch {
      this.#isWanted = false;
    } finally {
      this.#filling = undefined;
    }
  }
}

const ZEROS = Buffer.alloc(ROOM_BYTES);

/** Whether nothing was ever written from `at` on. */
export function isRoom(bytes: Buffer, at: number): boolean {
  return bytes.subarray(at).every((byte) => byte === 0);
}
