import { type IncomingHttpHeaders } from "node:http";
import { type Account } from "./account-store.ts";
import { type Authentication, type Authenticator, PASSWORD_CHANGE_REQUIRED, type Refusal } from "./authenticator.ts";
import { needsCredentials } from "./exempt-paths.ts";
import { isAllowedHost } from "./host-guard.ts";

export interface AccessGateOptions {
  /** Undefined: authentication is off. */
  readonly authenticator: Authenticator | undefined;
  readonly allowedHosts: readonly string[];
}

/** What a request is judged by. */
export interface Visitor {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Whose request this is (undefined without authentication and on exempt paths), or why it is not served. */
export type Verdict =
  | { readonly account: Account | undefined; readonly refusal?: undefined }
  | { readonly refusal: Refusal };

/** Decides who gets in, on every path, unknown ones included (graph-http §3). */
export class AccessGate {
  readonly #authenticator: Authenticator | undefined;
  readonly #allowedHosts: readonly string[];

  constructor({ authenticator, allowedHosts }: AccessGateOptions) {
    this.#authenticator = authenticator;
    this.#allowedHosts = allowedHosts;
  }

  /** At once where nothing has to be computed: that is the rule, and a promise would cost as much as the rest. */
  judge(visitor: Visitor): Verdict | Promise<Verdict> {
    if (this.#authenticator === undefined) {
      return isAllowedHost(visitor.headers, this.#allowedHosts) ? NOBODY : { refusal: FOREIGN_HOST };
    }
    if (!needsCredentials(visitor.method, visitor.path)) {
      return NOBODY;
    }
    const { authorization } = visitor.headers;
    const known = this.#authenticator.findKnown(authorization);
    return known === undefined
      ? this.#authenticator.authenticate(authorization).then((verdict) => afterAuthentication(verdict, visitor))
      : afterAuthentication({ account: known }, visitor);
  }
}

function afterAuthentication(verdict: Authentication, { path }: Visitor): Verdict {
  return verdict.account?.passwordChangeRequired === true && !path.startsWith("/user/")
    ? { refusal: { ...PASSWORD_CHANGE_REQUIRED, passwordChangeOf: verdict.account.name } }
    : verdict;
}

const NOBODY: Verdict = { account: undefined };

const FOREIGN_HOST: Refusal = {
  status: 403,
  code: "ClientError.Security.AuthorizationFailed",
  message:
    "This server has authentication switched off and therefore answers only to requests that name this machine; graph.allowed_hosts names further hosts.",
  withChallenge: false,
};
