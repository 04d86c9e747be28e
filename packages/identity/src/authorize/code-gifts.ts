import { createHash } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { type RevokedTokens } from "../revocation/revoked-tokens.ts";
import { type RefreshTokenStore } from "../tokens/refresh-token-store.ts";

/** Takes back what the redemption of an authorization code gave: a refresh token family and one access token. */
export class CodeGifts {
  readonly #refreshTokens: RefreshTokenStore;
  readonly #revokedTokens: RevokedTokens;
  readonly #clock: Clock;
  readonly #accessTokenSeconds: number;

  constructor(
    refreshTokens: RefreshTokenStore,
    revokedTokens: RevokedTokens,
    clock: Clock,
    accessTokenSeconds: number,
  ) {
    this.#refreshTokens = refreshTokens;
    this.#revokedTokens = revokedTokens;
    this.#clock = clock;
    this.#accessTokenSeconds = accessTokenSeconds;
  }

  /** Also holds for a token that is being signed at this very moment: its id is known before it is made. */
  async takeBack(familyId: string): Promise<void> {
    await this.#refreshTokens.revokeFamily(familyId);
    const latestExpirySeconds = Math.ceil(this.#clock.now() / 1000) + this.#accessTokenSeconds;
    await this.#revokedTokens.revoke({ id: firstTokenId(familyId), expiresAtSeconds: latestExpirySeconds });
  }
}

/**
 * The id (`uti`) of the access token that a code is exchanged for: derived from the family the code begins, so that it
 * need not be kept, and by a hash, so that it tells nothing about the family.
 */
export function firstTokenId(familyId: string): string {
  return createHash("sha256").update(`access token of ${familyId}`).digest().subarray(0, 16).toString("base64url");
}
