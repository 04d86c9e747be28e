import { addSecretKey, dropOldSecretKeys, openSecretBox, type SecretBox } from "./secret-box.ts";

/** The data folder's secret box for as long as a server runs: it goes on under a new key when one is made. */
export class KeptSecretBox {
  readonly #dataDirectory: string;
  #box: SecretBox;

  private constructor(dataDirectory: string, box: SecretBox) {
    this.#dataDirectory = dataDirectory;
    this.#box = box;
  }

  /** @throws SealedDataError when the key file is damaged */
  static async open(dataDirectory: string): Promise<KeptSecretBox> {
    return new KeptSecretBox(dataDirectory, await openSecretBox(dataDirectory));
  }

  seal(plaintext: Uint8Array, context: string): Uint8Array {
    return this.#box.seal(plaintext, context);
  }

  /** @throws SealedDataError */
  open(sealed: Uint8Array, context: string): Uint8Array {
    return this.#box.open(sealed, context);
  }

  /** The older keys stay in the file: other servers of the folder have secrets sealed with them. */
  async addKey(): Promise<void> {
    this.#box = await addSecretKey(this.#dataDirectory);
  }

  /** Goes on under the key that another server of the folder made. */
  async reload(): Promise<void> {
    this.#box = await openSecretBox(this.#dataDirectory);
  }

  /**
   * Takes all but the current key out of the file. What is open in memory still opens: forms in browsers go on until the
   * server ends.
   */
  async dropOldKeys(): Promise<void> {
    await dropOldSecretKeys(this.#dataDirectory);
  }
}
