import { RequestError, RetryableError } from "@trefoil/base";

/** Why a token is no good. */
export type TokenRefusalCode =
  | "malformed"
  | "algorithm"
  | "unknown_key"
  | "signature"
  | "issuer"
  | "tenant"
  | "audience"
  | "expired"
  | "not_yet_valid"
  | "not_an_access_token";

/** The token is refused: answer 401 with `error="invalid_token"`. (RFC 6750 §3.1) */
export class TokenRefusedError extends RequestError<TokenRefusalCode> {
  override readonly name = "TokenRefusedError";
}

/** The provider's keys can't be had, so nothing can be said about the token: answer 503. */
export class ProviderUnavailableError extends RetryableError<"provider_unavailable"> {
  override readonly name = "ProviderUnavailableError";

  constructor(message: string, cause: unknown) {
    super("provider_unavailable", message, { cause });
  }
}
