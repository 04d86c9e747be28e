import { type Clock } from "@trefoil/base";
import { type StatusCode } from "@trefoil/cypher";
import { type Account, type AccountStore } from "./account-store.ts";
import { type BasicCredentials, parseAuthorization } from "./authorization-header.ts";
import { CredentialCache } from "./credential-cache.ts";
import { FailedAttempts } from "./failed-attempts.ts";

/** Why a request is not served; answered with `status` and one error object. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 429 | 503;
  readonly code: StatusCode;
  readonly message: string;
  /** Whether the answer carries `WWW-Authenticate: None`, which keeps browsers from asking for a password. */
  readonly withChallenge: boolean;
  /** Whose password has to be changed first. */
  readonly passwordChangeOf?: string;
}

export type Authentication =
  | { readonly account: Account; readonly refusal?: undefined }
  | { readonly account?: undefined; readonly refusal: Refusal };

/** Turns a bearer token into an account, or says why not. */
export type TokenAuthenticator = (token: string) => Promise<Authentication>;

/** Checks credentials against the account store, with the limits and the exact refusals of graph-http §3. */
export class Authenticator {
  readonly #accounts: AccountStore;
  readonly #attempts: FailedAttempts;
  readonly #cache = new CredentialCache();
  readonly #tokens: TokenAuthenticator | undefined;

  constructor(accounts: AccountStore, clock: Clock, tokens: TokenAuthenticator | undefined) {
    this.#accounts = accounts;
    this.#attempts = new FailedAttempts(clock);
    this.#tokens = tokens;
    accounts.onChange(() => this.#cache.clear());
  }

  /** Who has shown these credentials before; undefined means nothing but that they have to be judged. */
  findKnown(header: string | undefined): Account | undefined {
    const name = header === undefined ? undefined : this.#cache.find(header);
    if (name === undefined || this.#attempts.isLocked(name)) {
      return undefined;
    }
    this.#attempts.recordSuccess(name);
    return this.#accounts.find(name);
  }

  /** Whose request this is, by its `Authorization` header. */
  async authenticate(header: string | undefined): Promise<Authentication> {
    const known = this.findKnown(header);
    if (known !== undefined) {
      return { account: known };
    }
    const credentials = parseAuthorization(header);
    switch (credentials.kind) {
      case "none":
        return { refusal: REFUSALS.missing };
      case "malformed":
        return { refusal: REFUSALS.malformed };
      case "bearer":
        return this.#tokens === undefined ? { refusal: REFUSALS.tokensUnknown } : await this.#tokens(credentials.token);
      case "basic":
        return await this.#authenticateBasic(credentials, header ?? "");
    }
  }

  async #authenticateBasic({ name, password }: BasicCredentials, header: string): Promise<Authentication> {
    const account = this.#accounts.find(name);
    if (account !== undefined && this.#attempts.isLocked(name)) {
      return { refusal: REFUSALS.locked };
    }
    if (!(await this.#accounts.isPassword(name, password)) || account === undefined) {
      if (account !== undefined) {
        this.#attempts.recordFailure(name);
      }
      return { refusal: REFUSALS.wrong };
    }
    this.#attempts.recordSuccess(name);
    // The account may have changed while the hash was computed: only what holds now is remembered.
    if (this.#accounts.find(name) === account) {
      this.#cache.add(header, name);
    }
    return { account };
  }
}

/** The refusal of everything but the password change while that is due. */
export const PASSWORD_CHANGE_REQUIRED: Refusal = {
  status: 403,
  code: "ClientError.Security.AuthorizationFailed",
  message: "User is required to change their password.",
  withChallenge: false,
};

const REFUSALS = {
  missing: {
    status: 401,
    code: "ClientError.Security.AuthorizationFailed",
    message: "No authorization header supplied.",
    withChallenge: true,
  },
  malformed: {
    status: 400,
    code: "ClientError.Request.InvalidFormat",
    message: "Invalid Authorization header.",
    withChallenge: false,
  },
  wrong: {
    status: 401,
    code: "ClientError.Security.AuthorizationFailed",
    message: "Invalid username or password.",
    withChallenge: true,
  },
  tokensUnknown: {
    status: 401,
    code: "ClientError.Security.AuthorizationFailed",
    message: "This server does not accept bearer tokens: graph.identity.issuer is not configured.",
    withChallenge: true,
  },
  locked: {
    status: 429,
    code: "ClientError.Security.AuthenticationRateLimit",
    message: "Too many failed authentication requests. Please wait 5 seconds and try again.",
    withChallenge: false,
  },
} as const satisfies Record<string, Refusal>;
