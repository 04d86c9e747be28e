import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { QueryError } from "@trefoil/cypher";
import { createGunzip, createInflate } from "node:zlib";
import { cannotLoad, type CsvResource } from "./csv-resource.ts";
import { requestBytes } from "./request-bytes.ts";

/** A text under way: pieces of bytes, unpacked; `close` gives up what is left. */
export interface OpenResource {
  readonly bytes: AsyncIterable<Uint8Array>;
  close(): void;
}

/**
 * Opens a file or asks for a URL. Content packed by gzip or zlib is unpacked, told by its first bytes. Nothing is read
 * before it is asked for.
 *
 * @throws  QueryError Statement.ExternalResourceFailure, from here or from the bytes
 */
export async function openResource(resource: CsvResource): Promise<OpenResource> {
  try {
    const source =
      resource.kind === "file" ? await openFile(resource.path) : Readable.from(await requestBytes(resource.url));
    return { bytes: unpacked(source, resource.name), close: () => source.destroy() };
  } catch (error) {
    throw error instanceof QueryError ? error : cannotLoad(resource.name, error);
  }
}

async function openFile(path: string): Promise<Readable> {
  const file = await open(path);
  const status = await file.stat();
  if (!status.isFile()) {
    await file.close();
    throw status.isDirectory()
      ? new QueryError("TransientError.Network.UnknownFailure", `${path} (Is a directory)`, { phase: "runtime" })
      : new Error("not a file");
  }
  return file.createReadStream({ highWaterMark: 256 * 1024 });
}

async function* unpacked(source: Readable, name: string): AsyncGenerator<Uint8Array, void, void> {
  try {
    const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    const first = await pieces.next();
    const all = withFirst(first, pieces);
    const unpacker = first.done === true ? undefined : unpackerFor(first.value);
    if (unpacker === undefined) {
      yield* all;
      return;
    }
    const input = Readable.from(all);
    input.once("error", (error) => unpacker.destroy(error));
    for await (const piece of input.pipe(unpacker)) {
      yield piece as Uint8Array;
    }
  } catch (error) {
    throw cannotLoad(name, error);
  } finally {
    source.destroy();
  }
}

async function* withFirst(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  for (let next = first; next.done !== true; next = await rest.next()) {
    yield next.value;
  }
}

/** gzip (RFC 1952) begins with 1F 8B, zlib (RFC 1950) with 78 and a byte that makes the pair a multiple of 31. */
function unpackerFor(
  piece: Uint8Array,
): ReturnType<typeof createGunzip> | ReturnType<typeof createInflate> | undefined {
  const [first = 0, second = 0] = piece;
  if (first === 0x1f && second === 0x8b) {
    return createGunzip();
  }
  // 78 5E would be the text "x^": only the pairs that compressors write besides it.
  return first === 0x78 && (second === 0x01 || second === 0x9c || second === 0xda) ? createInflate() : undefined;
}
