import { BLOCK_BYTES } from "./extent-format.ts";

/**
 * Bytes gathered before they are written: one call of the system for many small parts of a request, and only one for an
 * extent of up to a megabyte, its checksums included. Twice as much is the memory of an upload.
 */
export const WRITE_BYTES: number = 1024 * 1024 + BLOCK_BYTES;

/** Kept for the next uploads: enough for what runs at once. */
const KEPT = 16;

/** Of 64 KiB. */
const WASM_PAGES = Math.ceil(WRITE_BYTES / (64 * 1024));

/** What of the engine's interface is used here; its types come with those of browsers. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number; readonly shared: true }) => {
    readonly buffer: SharedArrayBuffer;
  };
};

const free: Buffer[] = [];

/**
 * Memory for a part of an extent: beginning at a page, as a write past the system's cache wants it, and seen by other
 * threads that it is sent to.
 */
export function takeWriteMemory(): Buffer {
  return free.pop() ?? newMemory();
}

/** Gives memory back; nobody may use it any more, above all not the disk. */
export function returnWriteMemory(memory: Buffer): void {
  if (free.length < KEPT) {
    free.push(memory);
  }
}

/** Copies bytes to a place in the memory. */
export function copyInto(memory: Buffer, place: number, bytes: Uint8Array): void {
  if (bytes.length > 0) {
    // Copies in one go what `set` copies byte by byte, once memory is shared and the two don't begin at the same part of
    // a word: a tenth of the time.
    memory.fill(bytes, place, place + bytes.length);
  }
}

function newMemory(): Buffer {
  try {
    // The only memory of JavaScript's that is known to begin at a page.
    const { buffer } = new WebAssembly.Memory({ initial: WASM_PAGES, maximum: WASM_PAGES, shared: true });
    return Buffer.from(buffer, 0, WRITE_BYTES);
  } catch {
    // It takes address space of gigabytes, which somebody may have limited: then files are written through the cache.
    return Buffer.from(new SharedArrayBuffer(WRITE_BYTES));
  }
}
