import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** A password as it is kept: what is needed to recognise it, and nothing to learn it from quickly. */
export interface ScryptHash {
  readonly algorithm: "scrypt";
  /** CPU and memory cost N; memory is `128 * cost * blockSize` bytes. */
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  readonly saltBase64: string;
  readonly hashBase64: string;
}

/** As a 2.x installation kept it: one fast hash over salt and password. Replaced when the password is used next. */
export interface ImportedHash {
  readonly algorithm: "sha-256";
  readonly saltBase64: string;
  readonly hashBase64: string;
}

export type PasswordHash = ScryptHash | ImportedHash;

/** 32 MiB and about a tenth of a second, paid once per credential (see credential-cache.ts). */
const COST = 2 ** 15;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

export async function hashPassword(password: string): Promise<ScryptHash> {
  const salt = randomBytes(SALT_BYTES);
  const parameters = { cost: COST, blockSize: BLOCK_SIZE, parallelization: PARALLELIZATION };
  const hash = await derive(password, salt, HASH_BYTES, parameters);
  return {
    algorithm: "scrypt",
    ...parameters,
    saltBase64: salt.toString("base64"),
    hashBase64: hash.toString("base64"),
  };
}

export async function isPasswordOf(password: string, stored: PasswordHash): Promise<boolean> {
  const expected = Buffer.from(stored.hashBase64, "base64");
  const salt = Buffer.from(stored.saltBase64, "base64");
  const actual =
    stored.algorithm === "scrypt"
      ? await derive(password, salt, expected.length, stored)
      : createHash("sha256").update(salt).update(password, "utf8").digest();
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

type Parameters = Pick<ScryptHash, "cost" | "blockSize" | "parallelization">;

/** At most this many derivations run at once, so that guessing cannot occupy the whole thread pool. */
const MAXIMUM_CONCURRENT = 2;
let running = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, salt: Buffer, length: number, parameters: Parameters): Promise<Buffer> {
  if (running >= MAXIMUM_CONCURRENT) {
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running++;
  }
  try {
    return await deriveNow(password, salt, length, parameters);
  } finally {
    const next = waiting.shift();
    if (next === undefined) {
      running--;
    } else {
      next();
    }
  }
}

function deriveNow(password: string, salt: Buffer, length: number, parameters: Parameters): Promise<Buffer> {
  const { cost: N, blockSize: r, parallelization: p } = parameters;
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error === null) {
        resolve(key);
      } else {
        reject(error);
      }
    });
  });
}
