import { createCRC64 } from "hash-wasm";

/** CRC-64/NVME, reflected (storage §13). */
const POLYNOMIAL = "9a6c9329ac4bc9b5";

// One instance for all: it works without pauses, so each user's state is put in before and taken out after.
const machine = await createCRC64(POLYNOMIAL);

/** The CRC-64 of bytes that come in parts; `~content-crc64` on the wire. */
export class Crc64 {
  #state: Uint8Array = machine.init().save();

  update(bytes: Uint8Array): void {
    machine.load(this.#state);
    machine.update(bytes);
    this.#state = machine.save();
  }

  /** Base64 of 8 bytes, the least significant first. */
  digest(): string {
    machine.load(this.#state);
    const bytes = Buffer.from(machine.digest("binary"));
    return bytes.reverse().toString("base64");
  }
}

export function crc64Of(bytes: Uint8Array): string {
  const crc = new Crc64();
  crc.update(bytes);
  return crc.digest();
}
