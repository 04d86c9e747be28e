import { createHmac } from "node:crypto";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * What an authenticator application shows, written from RFC 6238 and RFC 4226 apart from the provider's own.
 *
 * @param key    as a set-up page prints it, in base32 with spaces
 * @param steps  how many half minutes from now
 */
export function authenticatorCode(key: string, steps = 0): string {
  const bits = Array.from(key.replace(/\s/g, ""))
    .map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac("sha1", bytes).update(counter).digest();
  const number = digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}
