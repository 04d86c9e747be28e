import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** What every authenticator application understands. (RFC 6238 §4, RFC 4226 §5.3) */
const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Clocks of telephones, and slow fingers. (RFC 6238 §5.2) */
const STEPS_EITHER_WAY = 1;

export function newSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES);
}

/** The code of one time step. */
export function codeAt(secretBytes: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secretBytes).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** @returns the step that the code is of, which must never count again; undefined when it is of none near now */
export function stepOfCode(secretBytes: Uint8Array, code: string, nowMs: number): number | undefined {
  const entered = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(entered)) {
    return undefined;
  }
  const now = Math.floor(nowMs / 1000 / STEP_SECONDS);
  let found: number | undefined;
  for (let step = Math.max(now - STEPS_EITHER_WAY, 0); step <= now + STEPS_EITHER_WAY; step += 1) {
    const isRight = timingSafeEqual(Buffer.from(codeAt(secretBytes, step)), Buffer.from(entered));
    found = isRight ? step : found;
  }
  return found;
}

/** What an authenticator application reads from the picture. */
export function setupAddress(secretBytes: Uint8Array, issuer: string, userName: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(userName)}`;
  const query = new URLSearchParams({ secret: base32(secretBytes), issuer });
  return `otpauth://totp/${label}?${query.toString().replaceAll("+", "%20")}`;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Without padding. (RFC 4648 §6) */
export function base32(bytes: Uint8Array): string {
  let text = "";
  let buffered = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffered = (buffered << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += LETTERS[(buffered >> bits) & 31] ?? "";
    }
    buffered &= (1 << bits) - 1;
  }
  return bits > 0 ? text + (LETTERS[(buffered << (5 - bits)) & 31] ?? "") : text;
}
