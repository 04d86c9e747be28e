import { type Clock, systemClock } from "@trefoil/base";
import { decodeJwt, errors, type JWTPayload, jwtVerify } from "jose";
import { type TokenRefusalCode, TokenRefusedError } from "./errors.ts";
import { fetchJson } from "./fetch-json.ts";
import { isIssuerOf, parseTrustedIssuer, type TrustedIssuer } from "./issuer.ts";
import { type JsonFetcher, KeyCache } from "./key-cache.ts";
import { readValidatedToken, type ValidatedToken } from "./validated-token.ts";

export interface TokenValidatorOptions {
  /**
   * Whose tokens are believed: the provider's address (every tenant of it), or a tenant's issuer in its v1 or v2.0
   * form, which stands for both.
   */
  readonly issuer: string | readonly string[];
  /** The resource's own names: client id, App ID URIs. `spn:` and `api://` before a client id are understood. */
  readonly audience: string | readonly string[];
  /** Tenants whose tokens are let in, by GUID. Default: those of the issuer. */
  readonly tenants?: readonly string[] | undefined;
  /** By how much clocks may differ. Default 300. */
  readonly clockToleranceSeconds?: number | undefined;
  /** PEM of the authority to trust for https, such as `data/tls/ca.pem`. Default: the system's authorities. */
  readonly certificateAuthorityPem?: string | undefined;
  readonly clock?: Clock | undefined;
  /** How documents are got. Default: http or https, five seconds, no redirects. */
  readonly fetchJson?: JsonFetcher | undefined;
}

export interface TokenValidator {
  /**
   * Believes an access token or throws: form and algorithm, issuer, key and signature, times, audience, tenant.
   *
   * @throws TokenRefusedError         the token is no good; `code` says why
   * @throws ProviderUnavailableError  the keys have never been read and can't be now
   */
  validate(token: string): Promise<ValidatedToken>;
}

/** Accepted signatures: never what the token itself proposes. */
const ALGORITHMS = ["RS256"];
/** Tokens are a few kilobytes; more isn't worth parsing. */
const LENGTH_LIMIT = 32_768;

/**
 * A validator of bearer tokens for one resource server. Keys are found by discovery, kept for a day, and read again for
 * an unknown `kid`, at most twice a minute.
 *
 * @throws TypeError for an issuer that isn't an https address, or no issuer or audience at all
 */
export function createTokenValidator(options: TokenValidatorOptions): TokenValidator {
  const clock = options.clock ?? systemClock;
  const fetcher = options.fetchJson ?? ((url) => fetchJson(url, options.certificateAuthorityPem));
  const issuers = [options.issuer].flat().map((text) => {
    const issuer = parseTrustedIssuer(text);
    return { issuer, keys: new KeyCache(issuer, fetcher, clock) };
  });
  const audiences = new Set([options.audience].flat().flatMap(audienceSpellings));
  if (issuers.length === 0 || audiences.size === 0) {
    throw new TypeError("A token validator needs an issuer and an audience");
  }
  const tenants = options.tenants === undefined ? undefined : new Set(options.tenants.map((id) => id.toLowerCase()));
  return {
    validate: async (token) => {
      const unverified = decode(token);
      const trusted = findIssuer(issuers, unverified);
      const claims = await verify(token, trusted.keys, options.clockToleranceSeconds ?? 300, clock);
      refuseUnless(isIssuerOf(trusted.issuer, claims.iss, claims["tid"]), "issuer", "The issuer is not trusted");
      refuseUnless(namesAudience(claims, audiences), "audience", "The token is for another resource");
      const validated = readValidatedToken(claims);
      refuseUnless(validated, "not_an_access_token", "The token is not an access token");
      const isAdmitted = tenants?.has(validated.tenantId.toLowerCase()) ?? true;
      refuseUnless(isAdmitted, "tenant", "The token's tenant is not admitted");
      return validated;
    },
  };
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** All ways in which a token may spell one of the resource's names. (reference §6.5) */
function audienceSpellings(name: string): readonly string[] {
  if (GUID.test(name)) {
    const appId = name.toLowerCase();
    return [appId, `spn:${appId}`, `api://${appId}`];
  }
  const plain = name.replace(/\/$/, "");
  return [plain, `${plain}/`, `spn:${plain}`];
}

function namesAudience(claims: JWTPayload, audiences: ReadonlySet<string>): boolean {
  return [claims.aud ?? []].flat().some((name) => audiences.has(name) || audiences.has(name.toLowerCase()));
}

/** Read before it is believed: only to know whose keys to ask for. */
function decode(token: string): JWTPayload {
  refuseUnless(token.length <= LENGTH_LIMIT, "malformed", "The token is too long");
  try {
    return decodeJwt(token);
  } catch (cause) {
    throw new TokenRefusedError("malformed", "The token is not a JWT", { cause });
  }
}

interface IssuerKeys {
  readonly issuer: TrustedIssuer;
  readonly keys: KeyCache;
}

function findIssuer(issuers: readonly IssuerKeys[], { iss, tid }: JWTPayload): IssuerKeys {
  const found = issuers.find(({ issuer }) => isIssuerOf(issuer, iss, tid));
  refuseUnless(found, "issuer", "The issuer is not trusted");
  return found;
}

async function verify(token: string, keys: KeyCache, clockTolerance: number, clock: Clock): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid, x5t }) => {
        const key = await keys.find(kid ?? x5t ?? "");
        refuseUnless(key, "unknown_key", "The token is signed with a key that the issuer does not publish");
        return key;
      },
      {
        algorithms: ALGORITHMS,
        clockTolerance,
        currentDate: new Date(clock.now()),
        requiredClaims: ["exp", "iss", "aud"],
      },
    );
    return payload;
  } catch (error) {
    throw asRefusal(error);
  }
}

const refusals: Readonly<Record<string, readonly [TokenRefusalCode, string]>> = {
  [errors.JOSEAlgNotAllowed.code]: ["algorithm", "The token's algorithm is not accepted"],
  [errors.JWSSignatureVerificationFailed.code]: ["signature", "The token's signature is wrong"],
  [errors.JWTExpired.code]: ["expired", "The token has expired"],
  [errors.JWSInvalid.code]: ["malformed", "The token is not a JWT"],
  [errors.JWTInvalid.code]: ["malformed", "The token is not a JWT"],
  [errors.JOSENotSupported.code]: ["malformed", "The token needs an extension that is not understood"],
};

function asRefusal(error: unknown): unknown {
  if (!(error instanceof errors.JOSEError)) {
    return error;
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    const isEarly = error.claim === "nbf" || error.claim === "iat";
    return isEarly
      ? new TokenRefusedError("not_yet_valid", "The token is not valid yet", { cause: error })
      : new TokenRefusedError("malformed", `The claim ${error.claim} is missing or wrong`, { cause: error });
  }
  const [code, message] = refusals[error.code] ?? (["malformed", "The token cannot be read"] as const);
  return new TokenRefusedError(code, message, { cause: error });
}

function refuseUnless(found: unknown, code: TokenRefusalCode, message: string): asserts found {
  if (found === undefined || found === false) {
    throw new TokenRefusedError(code, message);
  }
}
