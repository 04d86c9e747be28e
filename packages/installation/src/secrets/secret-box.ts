import { CorruptionError, must } from "@trefoil/base";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import path from "node:path";
import { inCriticalSection } from "../locks/critical-section.ts";
import { findFile, writePrivateFile } from "../private-file.ts";

/** Sealed bytes that cannot be what we sealed: damaged, of another context, or of a key we don't have. */
export class SealedDataError extends CorruptionError<"sealed-data"> {
  override readonly name = "SealedDataError";

  constructor(message: string, cause?: unknown) {
    super("sealed-data", message, { cause });
  }
}

/**
 * Seals secrets at rest with AES-256-GCM under a key that lies outside every database.
 *
 * Sealed form: version (1 byte) · key id (4 bytes) · nonce (12 bytes) · ciphertext · tag (16 bytes). Version, key id
 * and context are authenticated, so that what was sealed for one place does not open in another.
 */
export class SecretBox {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #currentId: string;

  /** @param keys  key id (8 hexadecimal digits) → 32 bytes; the first one seals */
  constructor(keys: ReadonlyMap<string, Buffer>) {
    this.#keys = keys;
    this.#currentId = must(keys.keys().next().value, "a secret box has a key");
  }

  /** @param context  says what the secret is and whose: `"signing-key:<id>"` */
  seal(plaintext: Uint8Array, context: string): Buffer {
    const header = Buffer.concat([Buffer.of(formatVersion), Buffer.from(this.#currentId, "hex")]);
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", must(this.#keys.get(this.#currentId), "the current key"), nonce);
    cipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
    return Buffer.concat([header, nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws SealedDataError */
  open(sealed: Uint8Array, context: string): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes.length < headerBytes + nonceBytes + tagBytes || bytes[0] !== formatVersion) {
      throw new SealedDataError("a sealed secret has an unknown form");
    }
    const header = bytes.subarray(0, headerBytes);
    const keyId = header.subarray(1).toString("hex");
    const key = this.#keys.get(keyId);
    if (key === undefined) {
      throw new SealedDataError(`a secret is sealed with the key ${keyId}, which is not in the key file`);
    }
    const nonce = bytes.subarray(headerBytes, headerBytes + nonceBytes);
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.concat([header, Buffer.from(context)]));
    decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(headerBytes + nonceBytes, -tagBytes)), decipher.final()]);
    } catch (error) {
      throw new SealedDataError(`a sealed secret (${context}) does not open: damaged, or of another context`, error);
    }
  }

  /** Whether a newer key is current: then the secret should be sealed again. */
  isOutdated(sealed: Uint8Array): boolean {
    return Buffer.from(sealed.subarray(1, headerBytes)).toString("hex") !== this.#currentId;
  }
}

const formatVersion = 1;
const headerBytes = 5;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

export function secretKeyFile(dataDirectory: string): string {
  return path.join(dataDirectory, "secret.key");
}

/**
 * The data folder's secret box. The key file (mode 0600, made on the first start) has one line per key,
 * `<id>:<key in base64>`, the current one first.
 *
 * @throws SealedDataError when the file is not of that form
 */
export function openSecretBox(dataDirectory: string): Promise<SecretBox> {
  return inCriticalSection(dataDirectory, async () => {
    const file = secretKeyFile(dataDirectory);
    const text = await findFile(file);
    if (text !== undefined) {
      return new SecretBox(parseKeys(text, file));
    }
    const first = newKeyLine();
    await writePrivateFile(file, first);
    return new SecretBox(parseKeys(first, file));
  });
}

/** Puts a new key first; what was sealed with the older ones still opens. */
export function addSecretKey(dataDirectory: string): Promise<SecretBox> {
  return inCriticalSection(dataDirectory, async () => {
    const file = secretKeyFile(dataDirectory);
    const text = newKeyLine() + ((await findFile(file)) ?? "");
    await writePrivateFile(file, text);
    return new SecretBox(parseKeys(text, file));
  });
}

/** Leaves the current key alone in the file: to be called when nothing is sealed with the older ones any more. */
export function dropOldSecretKeys(dataDirectory: string): Promise<void> {
  return inCriticalSection(dataDirectory, async () => {
    const file = secretKeyFile(dataDirectory);
    const text = must(await findFile(file), "a data folder that is open has its key file");
    parseKeys(text, file);
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    await writePrivateFile(file, `${must(lines[0], "a key file has a key")}\n`);
  });
}

function newKeyLine(): string {
  return `${randomBytes(4).toString("hex")}:${randomBytes(keyBytes).toString("base64")}\n`;
}

function parseKeys(text: string, file: string): ReadonlyMap<string, Buffer> {
  const keys = new Map<string, Buffer>();
  for (const line of text.split("\n").filter((candidate) => candidate.trim() !== "")) {
    const [, id, keyBase64] = /^([0-9a-f]{8}):([A-Za-z0-9+/]{43}=)\s*$/.exec(line) ?? [];
    if (id === undefined || keyBase64 === undefined) {
      throw new SealedDataError(`${file} is not a key file: every line is <id>:<key>`);
    }
    keys.set(id, Buffer.from(keyBase64, "base64"));
  }
  if (keys.size === 0) {
    throw new SealedDataError(`${file} has no key`);
  }
  return keys;
}
