import { type Kysely } from "kysely";
import { contextOfFactor } from "../factors/factor-store.ts";
import { contextOfSigningKey } from "../signing-keys/signing-key.ts";
import { SUBJECT_KEY_CONTEXT } from "../tenants/tenant-store.ts";
import { type SecretBox } from "./secret-box.ts";
import { type IdentityTables } from "./tables.ts";

/** Where the keys lie that seal. */
export interface SealingKeyFile {
  /** Puts a new key in front; what the older ones sealed still opens. */
  addKey(): Promise<void>;
  /** Takes the older ones out. */
  dropOldKeys(): Promise<void>;
}

/**
 * The key that lies outside the database and seals what is secret inside: signing keys, the tenants' subject keys, second
 * factors.
 */
export class SealingKeys {
  readonly #database: Kysely<IdentityTables>;
  readonly #secrets: SecretBox;
  readonly #file: SealingKeyFile | undefined;

  constructor(database: Kysely<IdentityTables>, secrets: SecretBox, file: SealingKeyFile | undefined) {
    this.#database = database;
    this.#secrets = secrets;
    this.#file = file;
  }

  /** Whether the key is this process's to turn: not when somebody else keeps it. */
  get isKept(): boolean {
    return this.#file !== undefined;
  }

  /**
   * Makes a new key and seals everything with it, all in one transaction. Ended in between, everything is still sealed
   * with the old key, which is kept.
   *
   * @returns how many secrets were sealed anew
   */
  async rotate(): Promise<number> {
    await this.#file?.addKey();
    return this.#sealAnew();
  }

  /**
   * Leaves nothing that an older key could open, and then no older key. The caller knows that nobody else who seals with
   * the file needs one. Ended in between, the keys are still there.
   */
  async forgetOld(): Promise<void> {
    await this.#sealAnew();
    await this.#file?.dropOldKeys();
  }

  #sealAnew(): Promise<number> {
    const reseal = (sealed: Uint8Array, context: string): Buffer =>
      Buffer.from(this.#secrets.seal(this.#secrets.open(sealed, context), context));
    return this.#database.transaction().execute(async (transaction) => {
      const tenants = await transaction.selectFrom("tenants").select(["id", "subject_key_sealed"]).execute();
      for (const { id, subject_key_sealed: sealed } of tenants) {
        await transaction
          .updateTable("tenants")
          .set({ subject_key_sealed: reseal(sealed, SUBJECT_KEY_CONTEXT) })
          .where("id", "=", id)
          .execute();
      }
      const keys = await transaction.selectFrom("signing_keys").select(["kid", "private_key_sealed"]).execute();
      for (const { kid, private_key_sealed: sealed } of keys) {
        await transaction
          .updateTable("signing_keys")
          .set({ private_key_sealed: reseal(sealed, contextOfSigningKey(kid)) })
          .where("kid", "=", kid)
          .execute();
      }
      const factors = await transaction.selectFrom("user_factors").select(["id", "secret_sealed"]).execute();
      for (const { id, secret_sealed: sealed } of factors) {
        await transaction
          .updateTable("user_factors")
          .set({ secret_sealed: reseal(sealed, contextOfFactor(id)) })
          .where("id", "=", id)
          .execute();
      }
      return tenants.length + keys.length + factors.length;
    });
  }
}
