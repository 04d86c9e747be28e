import { type Clock } from "@trefoil/base";
import { type Kysely } from "kysely";
import { type IdentityTables } from "../store/tables.ts";

/** How old the memory of revocations may be when it answers. (rulings, Identity 12) */
export const REVOCATIONS_AT_MOST_OLD_MS = 5_000;
/** Another process's clock may be behind ours, and its statement may have waited: rows are looked for this far back. */
const LOOK_BACK_MS = 60_000;

/** Access tokens that were revoked before their time, held in memory and brought up to date every few seconds. */
export class RevokedTokens {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;
  /** By `uti`, or the mark of a whole sign-in (`rh`): when it would have expired, after which it need not be remembered. */
  readonly #expiryMs = new Map<string, number>();
  #readAtMs = -Infinity;
  #reading: Promise<void> | undefined;

  constructor(database: Kysely<IdentityTables>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @param familyMark  what the token says about the sign-in it comes from: all of it may be revoked */
  async isRevoked(tokenId: string, familyMark: string | undefined): Promise<boolean> {
    if (this.#clock.now() - this.#readAtMs >= REVOCATIONS_AT_MOST_OLD_MS) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    return this.#expiryMs.has(tokenId) || (familyMark !== undefined && this.#expiryMs.has(familyMark));
  }

  async revoke(token: { readonly id: string; readonly expiresAtSeconds: number }): Promise<void> {
    const row = {
      token_id: token.id,
      revoked_at_ms: this.#clock.now(),
      expires_at_ms: token.expiresAtSeconds * 1000,
    };
    await this.#database
      .insertInto("revoked_tokens")
      .values(row)
      .onConflict((conflict) => conflict.column("token_id").doNothing())
      .execute();
    this.#expiryMs.set(row.token_id, row.expires_at_ms);
  }

  /** Forgets tokens that have expired by now. */
  async sweep(): Promise<void> {
    const nowMs = this.#clock.now();
    await this.#database.deleteFrom("revoked_tokens").where("expires_at_ms", "<", nowMs).execute();
    for (const [tokenId, expiresAtMs] of this.#expiryMs) {
      if (expiresAtMs < nowMs) {
        this.#expiryMs.delete(tokenId);
      }
    }
  }

  async #read(): Promise<void> {
    const nowMs = this.#clock.now();
    const rows = await this.#database
      .selectFrom("revoked_tokens")
      .select(["token_id", "expires_at_ms"])
      .where("revoked_at_ms", ">=", Number.isFinite(this.#readAtMs) ? this.#readAtMs - LOOK_BACK_MS : 0)
      .where("expires_at_ms", ">", nowMs)
      .execute();
    for (const row of rows) {
      this.#expiryMs.set(row.token_id, row.expires_at_ms);
    }
    this.#readAtMs = nowMs;
  }
}
