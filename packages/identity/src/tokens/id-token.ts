import { randomUUID } from "node:crypto";
import { EMAIL, PROFILE } from "../protocol/parameters.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";
import { type TokenTimes } from "./access-token.ts";
import { type TokenVersion } from "./compact-jws.ts";
import { issuerOf } from "./issuer.ts";
import { pairwiseSubject } from "./pairwise-subject.ts";

/** Everything an id token says. */
export interface IdTokenContent {
  readonly publicUrl: string;
  readonly tenant: Tenant;
  readonly clientAppId: string;
  readonly user: User;
  readonly methods: readonly string[];
  /** Where the user sat. */
  readonly ipAddress: string | undefined;
  /** OpenID scopes that were asked for: they open `profile` and `email` on v2. */
  readonly openIdScopes: ReadonlySet<string>;
  readonly times: TokenTimes;
  /** Claims that the client's manifest and the directory decide: roles, groups, optional ones. */
  readonly directoryClaims: Readonly<Record<string, unknown>>;
  readonly extras: IdTokenExtras;
}

/** What ties an id token to a request and to what came with it. */
export interface IdTokenExtras {
  /** As sent with the request; never invented. */
  readonly nonce?: string | undefined;
  readonly authTimeSeconds?: number | undefined;
  /** The browser session, for front-channel sign-out. */
  readonly sid?: string | undefined;
  readonly c_hash?: string | undefined;
  readonly at_hash?: string | undefined;
}

/** The claims of an id token, in the version of the endpoint. (reference §6.4) */
export function idTokenClaims(content: IdTokenContent, version: TokenVersion): Readonly<Record<string, unknown>> {
  const { user, openIdScopes } = content;
  const isV1 = version === 1;
  const hasProfile = isV1 || openIdScopes.has(PROFILE);
  const claims = {
    aud: content.clientAppId,
    iss: issuerOf(content.publicUrl, content.tenant.id, version),
    iat: content.times.issuedAtSeconds,
    nbf: content.times.notBeforeSeconds,
    exp: content.times.expiresAtSeconds,
    // Members that are undefined don't reach the JSON.
    auth_time: content.extras.authTimeSeconds,
    nonce: content.extras.nonce,
    sid: content.extras.sid,
    c_hash: content.extras.c_hash,
    at_hash: content.extras.at_hash,
    amr: isV1 ? content.methods : undefined,
    ipaddr: isV1 ? content.ipAddress : undefined,
    name: hasProfile ? user.displayName : undefined,
    given_name: isV1 ? user.givenName : undefined,
    family_name: isV1 ? user.surname : undefined,
    unique_name: isV1 ? user.userPrincipalName : undefined,
    upn: isV1 ? user.userPrincipalName : undefined,
    preferred_username: !isV1 && hasProfile ? user.userPrincipalName : undefined,
    email: !isV1 && openIdScopes.has(EMAIL) ? user.mail : undefined,
    oid: user.id,
    sub: pairwiseSubject(content.tenant, content.clientAppId, user.id),
    tid: content.tenant.id,
    uti: randomUUID(),
    ver: isV1 ? "1.0" : "2.0",
  };
  return Object.assign(claims, content.directoryClaims);
}
