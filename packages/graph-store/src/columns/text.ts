import { Buffer } from "node:buffer";

/**
 * Text in bytes: UTF-8, or UTF-16 for the rare string with a lone surrogate, which UTF-8 could not give back.
 * The byte length and that one bit travel together as `length * 2 + wide`.
 */
export function textHeader(text: string): number {
  const length = Buffer.byteLength(text, "utf8");
  return isWellFormed(text, length) ? length * 2 : text.length * 4 + 1;
}

export function bytesInHeader(header: number): number {
  return Math.floor(header / 2);
}

/** Up to here a loop is quicker than a call of the runtime. */
const SHORT_LENGTH = 24;

/** Writes `text` as its header says; the room must be there. */
export function writeText(target: Buffer, offset: number, text: string, header: number): void {
  if (text.length <= SHORT_LENGTH && header === text.length * 2) {
    // ASCII.
    for (let at = 0; at < text.length; at++) {
      target[offset + at] = text.charCodeAt(at);
    }
    return;
  }
  target.write(text, offset, header % 2 === 1 ? "utf16le" : "utf8");
}

export function readText(source: Buffer, offset: number, header: number): string {
  const end = offset + bytesInHeader(header);
  return source.toString(header % 2 === 1 ? "utf16le" : "utf8", offset, end);
}

/** FNV-1a over UTF-16 units, finished so that the low bits depend on all of them. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return finished(hash);
}

/** `hashText` of a text that lies in bytes; `undefined` when they are not all ASCII. */
export function hashAscii(source: Uint8Array, start: number, end: number): number | undefined {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) {
    const byte = source[at] as number;
    if (byte > 127) {
      return undefined;
    }
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return finished(hash);
}

function finished(hash: number): number {
  const folded = hash ^ (hash >>> 15);
  return Math.imul(folded, 0x2c1b3c6d) ^ (folded >>> 12);
}

function isWellFormed(text: string, utf8Length: number): boolean {
  if (utf8Length === text.length) {
    return true;
  }
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdfff) {
      const next = text.charCodeAt(at + 1);
      if (unit >= 0xdc00 || !(next >= 0xdc00 && next <= 0xdfff)) {
        return false;
      }
      at += 1;
    }
  }
  return true;
}
