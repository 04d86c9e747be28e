import { createHash } from "node:crypto";
import { Crc64 } from "./crc64.ts";

/** Which checksums to make as bytes pass. */
export interface WantedChecksums {
  readonly md5: boolean;
  readonly crc64: boolean;
}

/** Only the wanted ones are there. */
export interface CalculatedChecksums {
  /** Base64 of 16 bytes. */
  readonly md5?: string | undefined;
  /** Base64 of 8 bytes. */
  readonly crc64?: string | undefined;
}

/** Makes checksums of a body that comes in parts. */
export class PassingChecksums {
  readonly #md5: ReturnType<typeof createHash> | undefined;
  readonly #crc64: Crc64 | undefined;

  constructor(wanted: WantedChecksums) {
    this.#md5 = wanted.md5 ? createHash("md5") : undefined;
    this.#crc64 = wanted.crc64 ? new Crc64() : undefined;
  }

  update(bytes: Uint8Array): void {
    this.#md5?.update(bytes);
    this.#crc64?.update(bytes);
  }

  finish(): CalculatedChecksums {
    return { md5: this.#md5?.digest("base64"), crc64: this.#crc64?.digest() };
  }
}
