import { type FormBody } from "../protocol/form-body.ts";
import { type TokenVersion } from "../tokens/compact-jws.ts";
import { type IssuedTokens } from "./grant.ts";

/** The way one version of the token endpoint asks for a target and writes down what was issued. */
export interface TokenProfile {
  readonly version: TokenVersion;
  /**
   * What a client without a user asks for.
   *
   * @throws IdentityError naming the missing or wrong parameter
   */
  readApplicationTarget(form: FormBody): Target;
  /**
   * What a client asks for on behalf of a user.
   *
   * @param isRequired  whether the target must be named; otherwise {@link Target.resourceName} may be undefined
   */
  readUserTarget(form: FormBody, isRequired: boolean): Target;
  /** The same from the text of scopes that an earlier request was granted. */
  parseScopes(scope: string): Target;
  /**
   * The same with scopes of several resources, in their order: users may be asked for all at once, tokens are for one.
   * The first is what a token is for when nothing else is said.
   */
  parseTargets(scope: string): readonly [Target, ...Target[]];
  /** Whether the answer holds a refresh token and an id token. */
  extras(target: Target): { readonly refreshToken: boolean; readonly idToken: boolean };
  /** The members of the JSON answer; undefined ones don't reach it. */
  render(issued: IssuedTokens): Readonly<Record<string, unknown>>;
}

/** A resource and permissions on it, as asked for. */
export interface Target {
  /** undefined: the built-in directory, or what an earlier request named. */
  readonly resourceName: string | undefined;
  /** Short names; {@link ALL_PERMISSIONS} for everything the client has. */
  readonly permissions: readonly string[] | typeof ALL_PERMISSIONS;
  readonly openIdScopes: ReadonlySet<string>;
  /** All scopes as written. */
  readonly scopeText: string;
}

export const ALL_PERMISSIONS = "all";

/** Scopes as written, and the OpenID scopes that another request of the same sign-in asked for. */
export function joinScopes(scopeText: string, { openIdScopes }: Target): string {
  if (openIdScopes.size === 0) {
    return scopeText;
  }
  const names = new Set([...scopeText.split(" "), ...openIdScopes]);
  return [...names].join(" ").trim();
}
