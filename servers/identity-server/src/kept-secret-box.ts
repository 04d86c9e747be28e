import { type SecretBox } from "@trefoil/identity";
import { addSecretKey, openSecretBox } from "@trefoil/installation";

/** The data folder's secret box, which goes on under a new key when one is made. */
export class KeptSecretBox implements SecretBox {
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

  seal(plaintextBytes: Uint8Array, context: string): Uint8Array {
    return this.#box.seal(plaintextBytes, context);
  }

  open(sealedBytes: Uint8Array, context: string): Uint8Array {
    return this.#box.open(sealedBytes, context);
  }

  /** The older keys stay in the file: other servers of the folder have secrets sealed with them. */
  async addKey(): Promise<void> {
    this.#box = await addSecretKey(this.#dataDirectory);
  }
}
