import { type IncomingMessage } from "node:http";
import { type CalculatedChecksums, PassingChecksums, type WantedChecksums } from "../checksums/passing-checksums.ts";
import { type Services } from "../services.ts";
import { type ContentKey, type Encryption } from "../encryption/content-key.ts";
import { readMessage } from "../structured-bodies/read-message.ts";
import { type UploadBody } from "../structured-bodies/upload-body.ts";
import { type ReceivedBytes } from "./content-changes.ts";
import { checkLength, gatherBody } from "./gather-body.ts";
import { rowBytes } from "./row-bytes.ts";
import { cutOff, type TakePart, takeParts } from "./take-parts.ts";

/** Blobs up to this size live in their row: one commit instead of a file and two syncs. */
export const INLINE_LIMIT_BYTES: number = 16 * 1024;

/** Smaller bodies have their checksums made as they pass: handing them to another thread costs more. */
const CHECKSUMS_APART_BYTES = 256 * 1024;

const NONE: WantedChecksums = { md5: false, crc64: false };

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
  const source: Source =
    structuredBytes === undefined
      ? { whole: () => gatherBody(message, lengthBytes), parts: (take) => takeParts(message, take) }
      : sourceOf(content(structuredBytes), lengthBytes);
  return receive(source, lengthBytes, store, wanted, key);
}

/** Takes parts in as {@link receiveBody} does a body; the memory of one may be used again for the next. */
export async function receiveParts(
  parts: AsyncIterable<Uint8Array>,
  lengthBytes: number,
  store: ContentStore,
  wanted: WantedChecksums,
  key?: ContentKey,
): Promise<ReceivedBody> {
  return receive(sourceOf(parts, lengthBytes), lengthBytes, store, wanted, key);
}

/** The same bytes, at once or one after the other; one of them is asked for. */
interface Source {
  readonly whole: () => Promise<Buffer>;
  readonly parts: (take: TakePart) => Promise<void>;
}

function sourceOf(parts: AsyncIterable<Uint8Array>, lengthBytes: number): Source {
  return {
    whole: () => gather(parts, lengthBytes),
    parts: async (take) => {
      for await (const part of parts) {
        await take(part);
      }
    },
  };
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
      : await receiveExtent(source.parts, lengthBytes, store, wanted, encryption);
  } finally {
    release();
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

async function gather(parts: AsyncIterable<Uint8Array>, lengthBytes: number): Promise<Buffer> {
  const gathered: Buffer[] = [];
  let received = 0;
  for await (const part of parts) {
    gathered.push(Buffer.from(part));
    received += part.length;
    checkLength(received <= lengthBytes);
  }
  checkLength(received === lengthBytes);
  return Buffer.concat(gathered);
}

async function receiveExtent(
  partsTo: Source["parts"],
  lengthBytes: number,
  { checksums, extents }: ContentStore,
  wanted: WantedChecksums,
  encryption: Encryption | undefined,
): Promise<ReceivedBody> {
  // Of what is written, while it is; what is encrypted was something else when it was sent.
  const areMadeApart = encryption === undefined && lengthBytes >= CHECKSUMS_APART_BYTES;
  const apart = areMadeApart ? checksums.begin(wanted, lengthBytes) : undefined;
  const passing = new PassingChecksums(areMadeApart ? NONE : wanted);
  const writer = await extents.create(apart === undefined ? undefined : (bytes) => apart.update(bytes));
  try {
    let received = 0;
    await partsTo((part) => {
      passing.update(part);
      received += part.length;
      checkLength(received <= lengthBytes);
      return writer.write(encryption === undefined ? part : encryption.encrypt(part));
    });
    checkLength(received === lengthBytes);
    await writer.finish();
    return {
      bytes: { kind: "extent", extentId: writer.id, length: lengthBytes, nonce: encryption?.nonce },
      checksums: (apart ?? passing).finish(),
      discard: () => extents.delete(writer.id).catch(() => undefined),
    };
  } catch (error) {
    apart?.drop();
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
