import { Buffer } from "node:buffer";
import { grown, sharedBytes, sharedFloat64, sharedInt32, sharedUint32 } from "../memory/shared-array.ts";
import { type SectionReader, type SectionWriter } from "../memory/snapshot-sections.ts";
import { TextCache } from "./text-cache.ts";
import { bytesInHeader, hashAscii, hashText, readText, textHeader, writeText } from "./text.ts";

interface SavedFacts {
  readonly codeLimit: number;
  /** Codes without a holder; not there in older checkpoints. */
  readonly free?: number;
  readonly used: number;
  readonly garbage: number;
}

const FIRST_TABLE = 1024;
/** Texts that are gathered at a time for a checkpoint: less than a millisecond's work. */
const PART_BYTES = 2 ** 18;

/**
 * Every string that a property of the store holds by itself, once, known by a code from 1 up (0 is "no value").
 * Codes compare across columns. A code is counted per holder and given out again when the last one lets go; views
 * that could still read it keep that from happening (versions/version-store.ts).
 */
export class StringDictionary {
  #heap = sharedBytes(4096);
  #buffer = bufferOf(this.#heap);
  #used = 0;
  #garbage = 0;
  /** Where the bytes of a code begin; doubles, so that a heap beyond 4 GiB needs no other layout. */
  #offsets = sharedFloat64(64);
  #headers = sharedUint32(64);
  #hashes = sharedInt32(64);
  #holders = sharedUint32(64);
  #codeLimit = 1;
  readonly #freeCodes: number[] = [];
  /** Open addressing, code or 0; a tombstone is -1. Made when a text is first looked for: many a reader never does. */
  #table: Int32Array | undefined;
  #tableUsed = 0;
  /** Where hashes and holders are when only texts have been asked for. */
  #unread: (() => void) | undefined;
  readonly #cache = new TextCache();

  /** Codes are below this. */
  get codeLimit(): number {
    return this.#codeLimit;
  }

  /** The code of `text`, or 0 when no property holds it. */
  find(text: string): number {
    return this.#lookup(text, hashText(text));
  }

  /** The code of `text` for one more holder. */
  acquire(text: string): number {
    const hash = hashText(text);
    let code = this.#lookup(text, hash);
    if (code === 0) {
      code = this.#add(text, hash);
    }
    this.#holders[code] = (this.#holders[code] as number) + 1;
    return code;
  }

  /** The same for a text that lies in bytes; 0, with nothing done, when they are not all ASCII. */
  acquireAscii(source: Uint8Array, start: number, end: number): number {
    const hash = hashAscii(source, start, end);
    if (hash === undefined) {
      return 0;
    }
    let code = this.#lookupBytes(source, start, end, hash);
    if (code === 0) {
      code = this.#add(Buffer.from(source.buffer, source.byteOffset + start, end - start).toString("latin1"), hash);
    }
    this.#holders[code] = (this.#holders[code] as number) + 1;
    return code;
  }

  release(code: number): void {
    this.#unread?.();
    const left = (this.#holders[code] as number) - 1;
    this.#holders[code] = left;
    if (left === 0) {
      this.#drop(code);
    }
  }

  textOf(code: number): string {
    return this.#cache.find(code) ?? this.#readText(code);
  }

  /** How many values are this string. */
  holdersOf(code: number): number {
    this.#unread?.();
    return this.#holders[code] as number;
  }

  /** `hashText` of the text, kept with it. */
  hashOf(code: number): number {
    this.#unread?.();
    return this.#hashes[code] as number;
  }

  save(out: SectionWriter, name: string): void {
    this.#unread?.();
    const [codeLimit, free] = [this.#codeLimit, this.#freeCodes.length];
    if (out.gathered === undefined) {
      out.json(`${name}.facts`, { codeLimit, free, used: this.#used, garbage: this.#garbage });
      out.array(`${name}.heap`, this.#heap, this.#used);
      out.array(`${name}.offsets`, this.#offsets, this.#codeLimit);
    } else {
      // In the order of codes, so that their lengths tell where they begin.
      out.json(`${name}.facts`, { codeLimit, free, used: this.#used - this.#garbage, garbage: 0 });
      out.gathered(`${name}.heap`, () => this.#textsInOrder());
    }
    out.array(`${name}.headers`, this.#headers, this.#codeLimit);
    out.array(`${name}.hashes`, this.#hashes, this.#codeLimit);
    out.array(`${name}.holders`, this.#holders, this.#codeLimit);
  }

  static restore(source: SectionReader, name: string): StringDictionary {
    const facts = source.json(`${name}.facts`) as SavedFacts;
    const restored = new StringDictionary();
    restored.#useHeap(source.bytes(`${name}.heap`));
    restored.#used = facts.used;
    restored.#garbage = facts.garbage;
    restored.#headers = source.uint32(`${name}.headers`);
    restored.#codeLimit = facts.codeLimit;
    restored.#unread = () => {
      restored.#unread = undefined;
      restored.#hashes = source.int32(`${name}.hashes`);
      restored.#holders = source.uint32(`${name}.holders`);
      if (facts.free !== 0) {
        restored.#findFreeCodes();
      }
    };
    const offsets = `${name}.offsets`;
    restored.#offsets = source.has(offsets) ? source.float64(offsets) : restored.#offsetsInOrder(facts.free === 0);
    return restored;
  }

  /** The bytes of every text that has a holder; the same buffer for each part, but for a text that is larger. */
  *#textsInOrder(): Generator<Uint8Array, void, void> {
    const part = new Uint8Array(PART_BYTES);
    let filled = 0;
    for (let code = 1; code < this.#codeLimit; code++) {
      const size = (this.#holders[code] as number) > 0 ? bytesInHeader(this.#headers[code] as number) : 0;
      const from = this.#offsets[code] as number;
      if (filled + size > PART_BYTES) {
        yield part.subarray(0, filled);
        filled = 0;
      }
      if (size > PART_BYTES) {
        yield this.#heap.subarray(from, from + size);
      } else {
        // A loop, because most texts are shorter than a call is worth.
        for (let at = 0; at < size; at++) {
          part[filled + at] = this.#heap[from + at] as number;
        }
        filled += size;
      }
    }
    yield part.subarray(0, filled);
  }

  /** Texts without a holder are not there. */
  #offsetsInOrder(areAllHeld: boolean): Float64Array {
    if (!areAllHeld) {
      this.#unread?.();
    }
    const [holders, headers] = [this.#holders, this.#headers];
    const offsets = sharedFloat64(this.#codeLimit);
    let used = 0;
    for (let code = 1; code < offsets.length; code++) {
      if (areAllHeld || (holders[code] as number) > 0) {
        offsets[code] = used;
        used += bytesInHeader(headers[code] as number);
      }
    }
    return offsets;
  }

  #findFreeCodes(): void {
    for (let code = this.#codeLimit - 1; code > 0; code--) {
      if (this.#holders[code] === 0) {
        this.#freeCodes.push(code);
      }
    }
  }

  #readText(code: number): string {
    const text = readText(this.#buffer, this.#offsets[code] as number, this.#headers[code] as number);
    this.#cache.keep(code, text, this.#codeLimit);
    return text;
  }

  #lookup(text: string, hash: number): number {
    const table = this.#table ?? this.#makeTable();
    const mask = table.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const code = table[place] as number;
      if (code === 0) {
        return 0;
      }
      if (code > 0 && this.#hashes[code] === hash && this.textOf(code) === text) {
        return code;
      }
    }
  }

  #lookupBytes(source: Uint8Array, start: number, end: number, hash: number): number {
    const table = this.#table ?? this.#makeTable();
    const mask = table.length - 1;
    const header = (end - start) * 2;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const code = table[place] as number;
      if (code === 0) {
        return 0;
      }
      if (code > 0 && this.#hashes[code] === hash && this.#headers[code] === header) {
        const offset = (this.#offsets[code] as number) - start;
        let at = start;
        while (at < end && this.#heap[offset + at] === source[at]) {
          at += 1;
        }
        if (at === end) {
          return code;
        }
      }
    }
  }

  #add(text: string, hash: number): number {
    const header = textHeader(text);
    const size = bytesInHeader(header);
    this.#makeRoom(size);
    const code = this.#freeCodes.pop() ?? this.#nextCode();
    writeText(this.#buffer, this.#used, text, header);
    this.#offsets[code] = this.#used;
    this.#headers[code] = header;
    this.#hashes[code] = hash;
    this.#used += size;
    const table = this.#table;
    const isRoomy = table !== undefined && (this.#tableUsed + 1) * 2 <= table.length;
    this.#enter(isRoomy ? table : this.#makeTable(), code);
    return code;
  }

  #nextCode(): number {
    const code = this.#codeLimit;
    this.#codeLimit += 1;
    this.#offsets = grown(this.#offsets, this.#codeLimit, 0);
    this.#headers = grown(this.#headers, this.#codeLimit, 0);
    this.#hashes = grown(this.#hashes, this.#codeLimit, 0);
    this.#holders = grown(this.#holders, this.#codeLimit, 0);
    return code;
  }

  #enter(table: Int32Array, code: number): void {
    const mask = table.length - 1;
    let place = (this.#hashes[code] as number) & mask;
    while (table[place] !== 0) {
      place = (place + 1) & mask;
    }
    table[place] = code;
    this.#tableUsed += 1;
  }

  #drop(code: number): void {
    if (this.#table !== undefined) {
      const mask = this.#table.length - 1;
      let place = (this.#hashes[code] as number) & mask;
      while (this.#table[place] !== code) {
        place = (place + 1) & mask;
      }
      this.#table[place] = -1;
    }
    this.#garbage += bytesInHeader(this.#headers[code] as number);
    this.#freeCodes.push(code);
    this.#cache.forget(code);
  }

  /** A table of what has a holder, with room. */
  #makeTable(): Int32Array {
    this.#unread?.();
    const live = this.#codeLimit - this.#freeCodes.length;
    let size = FIRST_TABLE;
    while (size < live * 4) {
      size *= 2;
    }
    const table = new Int32Array(size);
    this.#tableUsed = 0;
    for (let code = 1; code < this.#codeLimit; code++) {
      if ((this.#holders[code] as number) > 0) {
        this.#enter(table, code);
      }
    }
    this.#table = table;
    return table;
  }

  /** Where it would have to grow, a heap that is half garbage is written anew instead; old readers keep the old one. */
  #makeRoom(size: number): void {
    if (this.#used + size <= this.#heap.length) {
      return;
    }
    if (this.#garbage * 2 > this.#used) {
      this.#compact(size);
    } else {
      this.#useHeap(grown(this.#heap, this.#used + size, 0));
    }
  }

  #compact(extra: number): void {
    const heap = sharedBytes(this.#used - this.#garbage + extra + 4096);
    const offsets = sharedFloat64(this.#offsets.length);
    let used = 0;
    for (let code = 1; code < this.#codeLimit; code++) {
      if ((this.#holders[code] as number) > 0) {
        const start = this.#offsets[code] as number;
        const size = bytesInHeader(this.#headers[code] as number);
        heap.set(this.#heap.subarray(start, start + size), used);
        offsets[code] = used;
        used += size;
      }
    }
    this.#useHeap(heap);
    this.#offsets = offsets;
    this.#used = used;
    this.#garbage = 0;
  }

  #useHeap(heap: Uint8Array): void {
    this.#heap = heap;
    this.#buffer = bufferOf(heap);
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
