import { bearerToken } from "./bearer-token.ts";
import { ProviderUnavailableError, TokenRefusedError } from "./errors.ts";
import { authorizationUrl, parseTrustedIssuer } from "./issuer.ts";
import { createTokenValidator, type TokenValidator, type TokenValidatorOptions } from "./token-validator.ts";
import { type ValidatedToken } from "./validated-token.ts";

/** What a caller needs beyond a token that is good for this resource. */
export interface Requirement {
  /** One of these permissions, for applications that act in a user's name. Default: any. */
  readonly scopes?: readonly string[] | undefined;
  /** One of these application roles, for applications that act for themselves. Default: any; `[]` lets in users only. */
  readonly roles?: readonly string[] | undefined;
}

export type BearerGuardOptions = Requirement &
  (TokenValidatorOptions | { readonly validator: TokenValidator }) & {
    /** The protection space that challenges name. Default: `api`. */
    readonly realm?: string | undefined;
  };

/** A caller who is let in, or the whole answer to one who isn't. */
export type Judgement = { readonly token: ValidatedToken } | { readonly refusal: Refusal };

/** An answer in the words of RFC 6750 §3: the same in the challenge and in the body. */
export interface Refusal {
  readonly status: 401 | 403 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: string; readonly error_description: string };
}

/** Judges the `Authorization` header of a request; the middleware of both frameworks is made of it. */
export type BearerGuard = (authorization: string | undefined) => Promise<Judgement>;

/** @throws TypeError as {@link createTokenValidator} does */
export function createBearerGuard(options: BearerGuardOptions): BearerGuard {
  const validator = "validator" in options ? options.validator : createTokenValidator(options);
  const realm = options.realm ?? "api";
  const signIn = { realm, ...("issuer" in options ? whereToSignIn(options) : {}) };
  return async (authorization) => {
    const text = bearerToken(authorization);
    if (text === undefined) {
      // RFC 6750 §3.1: who sent no token isn't told about errors.
      return refusal(401, signIn, "unauthorized", "A bearer token is needed", {});
    }
    try {
      const token = await validator.validate(text);
      const missing = findMissing(token, options);
      return missing === undefined
        ? { token }
        : refusal(403, { realm }, "insufficient_scope", missing.text, {
            error: "insufficient_scope",
            ...missing.challenge,
          });
    } catch (error) {
      return refusalOf(error, signIn);
    }
  };
}

/** What clients of the v1 endpoints look for to know whom to ask for a token, and for what. (reference §6.5) */
function whereToSignIn({ issuer, audience }: TokenValidatorOptions): Readonly<Record<string, string>> {
  const [trusted, resource] = [[issuer].flat()[0], [audience].flat()[0]];
  return trusted === undefined || resource === undefined
    ? {}
    : { authorization_uri: authorizationUrl(parseTrustedIssuer(trusted)), resource_id: resource };
}

/** @throws whatever isn't about the token */
function refusalOf(error: unknown, signIn: Readonly<Record<string, string>>): Judgement {
  if (error instanceof TokenRefusedError) {
    const { message } = error;
    return refusal(401, signIn, "invalid_token", message, { error: "invalid_token", error_description: message });
  }
  if (error instanceof ProviderUnavailableError) {
    const body = { error: "temporarily_unavailable", error_description: "The identity provider can't be reached" };
    return { refusal: { status: 503, headers: { "retry-after": "5" }, body } };
  }
  throw error;
}

interface Missing {
  readonly text: string;
  readonly challenge: Readonly<Record<string, string>>;
}

function findMissing(token: ValidatedToken, { scopes, roles }: Requirement): Missing | undefined {
  const [held, wanted] = token.isApplication ? [token.roles, roles] : [token.scopes, scopes];
  if (wanted === undefined || wanted.some((name) => held.includes(name))) {
    return undefined;
  }
  return token.isApplication
    ? { text: "The application has none of the roles that are needed", challenge: {} }
    : { text: "The token has none of the scopes that are needed", challenge: { scope: wanted.join(" ") } };
}

function refusal(
  status: 401 | 403,
  protectionSpace: Readonly<Record<string, string>>,
  error: string,
  description: string,
  parameters: Readonly<Record<string, string>>,
): Judgement {
  const challenge = Object.entries({ ...protectionSpace, ...parameters }).map(
    ([name, value]) => `${name}="${quotable(value)}"`,
  );
  const headers = { "www-authenticate": `Bearer ${challenge.join(", ")}`, "cache-control": "no-store" };
  return { refusal: { status, headers, body: { error, error_description: description } } };
}

/** RFC 6750 §3: printable ASCII without quotes and backslashes. */
function quotable(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\]/g, "'");
}
