import { type IncomingMessage } from "node:http";
import { checksumsInProcess } from "../checksums/checksum-maker.ts";
import { type CalculatedChecksums, PassingChecksums, type WantedChecksums } from "../checksums/passing-checksums.ts";
import { type Services } from "../services.ts";
import { type ContentKey, type Encryption } from "../encryption/content-key.ts";
import { readMessage } from "../structured-bodies/read-message.ts";
import { type UploadBody } from "../structured-bodies/upload-body.ts";
import { type ReceivedBytes } from "./content-changes.ts";
import { cutOff, gatherBody, wrongLength } from "./gather-body.ts";
import { rowBytes } from "./row-bytes.ts";

/** Blobs up to this size live in their row: one commit instead of a file and two syncs. */
export const INLINE_LIMIT_BYTES: number = 16 * 1024;

/** Smaller bodies have their checksums made as they pass: handing them to another thread costs more. */
const CHECKSUMS_APART_BYTES = 256 * 1024;

/** What receiving needs of the services. */
export type ContentStore = Pick<Services, "checksums" | "extents" | "freeSpace">;

export interface ReceivedBody {
  readonly bytes: ReceivedBytes;
  readonly checksums: CalculatedChecksums;
  /** Removes what was stored; for a request that is refused after its body came in. */
  discard(): Promise<void>;
}

/**
 * Takes a body in as it comes, in constant memory: checksums are made as the bytes pass, and when it returns a large
 * one is in a synced extent that nothing refers to yet.
 *
 * @param key  encrypts what is stored; the checksums are those of what was sent
 * @throws StorageError `InsufficientStorage`; `InvalidInput` for a body that ends early, after removing its bytes
 */
export async function receiveBody(
  { message, lengthBytes, structuredBytes }: UploadBody,
  store: ContentStore,
  wanted: WantedChecksums,
  key?: ContentKey,
): Promise<ReceivedBody> {
  const content = (sentBytes: number): AsyncIterable<Buffer> => readMessage(untilEnd(message), sentBytes, lengthBytes);
  const source =
    structuredBytes === undefined
      ? { whole: () => gatherBody(message, lengthBytes), parts: () => untilEnd(message) }
      : { whole: () => gather(content(structuredBytes), lengthBytes), parts: () => content(structuredBytes) };
  return receive(source, lengthBytes, store, wanted, key);
}

/**
 * Takes parts in as {@link receiveBody} does a body; each part is copied, since its memory may be used again.
 */
export async function receiveParts(
  parts: AsyncIterable<Uint8Array>,
  lengthBytes: number,
  store: ContentStore,
  wanted: WantedChecksums,
  key?: ContentKey,
): Promise<ReceivedBody> {
  const source = { whole: () => gather(copied(parts), lengthBytes), parts: () => copied(parts) };
  return receive(source, lengthBytes, store, wanted, key);
}

/** The same bytes, at once or one after the other; one of them is asked for. */
interface Source {
  readonly whole: () => Promise<Buffer>;
  readonly parts: () => AsyncIterable<Buffer>;
}

async function receive(
  source: Source,
  lengthBytes: number,
  store: ContentStore,
  wanted: WantedChecksums,
  key: ContentKey | undefined,
): Promise<ReceivedBody> {
  const encryption = lengthBytes === 0 ? undefined : key?.beginEncryption();
  const release = await store.freeSpace.reserve(lengthBytes);
  try {
    return lengthBytes <= INLINE_LIMIT_BYTES
      ? receiveInline(await source.whole(), new PassingChecksums(wanted), encryption)
      : await receiveExtent(source.parts(), lengthBytes, store, wanted, encryption);
  } finally {
    release();
  }
}

async function* copied(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    yield Buffer.from(part);
  }
}

function receiveInline(bytes: Buffer, checksums: PassingChecksums, encryption: Encryption | undefined): ReceivedBody {
  checksums.update(bytes);
  const stored = rowBytes(encryption === undefined ? bytes : encryption.encrypt(bytes));
  return {
    bytes: { kind: "inline", bytes: stored, length: bytes.length, nonce: encryption?.nonce },
    checksums: checksums.finish(),
    discard: () => Promise.resolve(),
  };
}

async function gather(parts: AsyncIterable<Buffer>, lengthBytes: number): Promise<Buffer> {
  const gathered: Buffer[] = [];
  let received = 0;
  for await (const part of parts) {
    gathered.push(part);
    received += part.length;
    checkLength(received <= lengthBytes);
  }
  checkLength(received === lengthBytes);
  return Buffer.concat(gathered);
}

async function receiveExtent(
  parts: AsyncIterable<Buffer>,
  lengthBytes: number,
  { checksums, extents }: ContentStore,
  wanted: WantedChecksums,
  encryption: Encryption | undefined,
): Promise<ReceivedBody> {
  // Of what is written, while it is; what is encrypted was something else when it was sent.
  const areMadeApart = encryption === undefined && lengthBytes >= CHECKSUMS_APART_BYTES;
  const ofBody = (areMadeApart ? checksums : checksumsInProcess).begin(wanted, lengthBytes);
  const writer = await extents.create(areMadeApart ? (bytes) => ofBody.update(bytes) : undefined);
  try {
    let received = 0;
    for await (const part of parts) {
      if (!areMadeApart) {
        await ofBody.update(part);
      }
      received += part.length;
      checkLength(received <= lengthBytes);
      await writer.write(encryption === undefined ? part : encryption.encrypt(part));
    }
    checkLength(received === lengthBytes);
    await writer.finish();
    return {
      bytes: { kind: "extent", extentId: writer.id, length: lengthBytes, nonce: encryption?.nonce },
      checksums: ofBody.finish(),
      discard: () => extents.delete(writer.id).catch(() => undefined),
    };
  } catch (error) {
    ofBody.drop();
    await writer.abort();
    throw error;
  }
}

/** The parts of a body; an aborted request ends it with an error instead of an end. */
async function* untilEnd(body: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    // Left open on failure: the connection still has to carry the error.
    for await (const part of body.iterator({ destroyOnReturn: false })) {
      yield part as Buffer;
    }
  } catch (error) {
    throw cutOff(error);
  }
}

function checkLength(holds: boolean): void {
  if (!holds) {
    throw wrongLength();
  }
}
