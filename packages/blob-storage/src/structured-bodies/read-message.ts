import { Crc64 } from "../checksums/crc64.ts";
import { checkChecksums } from "../checksums/transfer-checksums.ts";
import { StorageError } from "../errors/storage-error.ts";
import {
  CHECKSUM_BYTES,
  CRC64_FLAG,
  digestOf,
  HEADER_BYTES,
  SEGMENT_HEADER_BYTES,
  VERSION,
} from "./structured-message.ts";

/**
 * Takes a message apart as it comes: its content, each segment verified when it has ended.
 *
 * @param sentBytes     the length of the message, as its request says
 * @param contentBytes  and that of the content
 * @throws StorageError `Crc64Mismatch`, or `InvalidInput` for what is no such message
 */
export async function* readMessage(
  parts: AsyncIterable<Buffer>,
  sentBytes: number,
  contentBytes: number,
): AsyncGenerator<Buffer> {
  const input = new PartReader(parts);
  const whole = new Crc64();
  try {
    const header = await input.take(HEADER_BYTES);
    check(header.readUInt8(0) === VERSION, "its version is not 1");
    check(header.readBigUInt64LE(1) === BigInt(sentBytes), "its length is not that of the body");
    check(header.readUInt16LE(9) === CRC64_FLAG, "its flags do not say CRC-64");
    const count = header.readUInt16LE(11);
    let left = contentBytes;
    for (let number = 1; number <= count; number++) {
      const segment = await input.take(SEGMENT_HEADER_BYTES);
      check(segment.readUInt16LE(0) === number, `segment ${number} has another number`);
      const size = Number(segment.readBigUInt64LE(2));
      check(size <= left, "its segments are longer than its content");
      left -= size;
      yield* readSegment(input, size, whole);
    }
    check(left === 0, "its segments are shorter than its content");
    checkDigest(whole, await input.take(CHECKSUM_BYTES));
    check(await input.isAtEnd(), "something follows it");
  } finally {
    await input.close();
  }
}

async function* readSegment(input: PartReader, sizeBytes: number, whole: Crc64): AsyncGenerator<Buffer> {
  const checksum = new Crc64();
  let left = sizeBytes;
  while (left > 0) {
    const part = await input.takeSome(left);
    checksum.update(part);
    whole.update(part);
    left -= part.length;
    yield part;
  }
  checkDigest(checksum, await input.take(CHECKSUM_BYTES));
}

function checkDigest(checksum: Crc64, given: Buffer): void {
  checkChecksums({ crc64: given.toString("base64") }, { crc64: digestOf(checksum).toString("base64") });
}

function check(holds: boolean, why: string): void {
  if (!holds) {
    throw new StorageError("InvalidInput", { message: `The structured body is malformed: ${why}.` });
  }
}

/** Gives bytes in other portions than they come in. */
class PartReader {
  readonly #parts: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(parts: AsyncIterable<Buffer>) {
    this.#parts = parts[Symbol.asyncIterator]();
  }

  /** So many bytes, few enough to be gathered. */
  async take(count: number): Promise<Buffer> {
    const taken: Buffer[] = [];
    for (let left = count; left > 0; left -= taken.at(-1)?.length ?? 0) {
      taken.push(await this.takeSome(left));
    }
    return Buffer.concat(taken);
  }

  /** At least one byte, and not more than `limit`. */
  async takeSome(limit: number): Promise<Buffer> {
    check(!(await this.isAtEnd()), "it ends early");
    const taken = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#parts.next();
      if (next.done === true) {
        return true;
      }
      this.#rest = next.value;
    }
    return false;
  }

  async close(): Promise<void> {
    await this.#parts.return?.();
  }
}
