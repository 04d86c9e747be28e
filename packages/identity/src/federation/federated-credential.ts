/** Trust of an application in an outside issuer: its tokens for one subject count as the application's credential. */
export interface FederatedCredential {
  readonly id: string;
  /** Unique in the application, never changed. */
  readonly name: string;
  /** Compared with `iss` character by character. */
  readonly issuer: string;
  /** Compared with `sub` character by character. */
  readonly subject: string;
  /** One of these must be in `aud`. */
  readonly audiences: readonly string[];
  readonly description: string;
}

/** What outside issuers put into `aud` unless told otherwise. (reference §3) */
export const TOKEN_EXCHANGE_AUDIENCE = "api://AzureADTokenExchange";
