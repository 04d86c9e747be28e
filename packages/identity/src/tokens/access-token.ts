import { randomUUID } from "node:crypto";
import { type ClientAuthentication, clientAuthentication } from "../applications/authenticate-client.ts";
import { type Resource } from "../applications/application.ts";
import { sha256 } from "../store/text-digest.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";
import { issuerOf } from "./issuer.ts";
import { pairwiseSubject } from "./pairwise-subject.ts";

/** When a token is valid, in seconds since 1970. */
export interface TokenTimes {
  readonly issuedAtSeconds: number;
  readonly notBeforeSeconds: number;
  readonly expiresAtSeconds: number;
}

/** On whose behalf a token is used. */
export type Subject =
  | {
      readonly kind: "user";
      readonly user: User;
      /** Methods of the sign-in: `pwd`, `mfa`, … */
      readonly methods: readonly string[];
      /** The browser session, as clients know it. */
      readonly sessionId: string | undefined;
      readonly ipAddress: string | undefined;
      readonly scopes: readonly string[];
    }
  | { readonly kind: "application"; readonly servicePrincipalId: string };

/** Everything an access token says. */
export interface AccessTokenContent {
  readonly publicUrl: string;
  readonly tenant: Tenant;
  readonly clientAppId: string;
  readonly clientAuthentication: ClientAuthentication;
  readonly resource: Resource;
  readonly subject: Subject;
  /** Claims that the resource's manifest and the directory decide: roles, groups, optional ones. */
  readonly directoryClaims: Readonly<Record<string, unknown>>;
  readonly times: TokenTimes;
  /** The sign-in that it comes from and ends with. */
  readonly familyId?: string | undefined;
}

/**
 * The claims of an access token, in the version that the resource's manifest asks for. Those that are undefined don't
 * reach the JSON. (reference §6.2, §6.3)
 */
export function accessTokenClaims(content: AccessTokenContent): Readonly<Record<string, unknown>> {
  const { subject, tenant, resource, times } = content;
  const isV1 = resource.tokenVersion === 1;
  const issuer = issuerOf(content.publicUrl, tenant.id, resource.tokenVersion);
  const authentication = clientAuthentication[content.clientAuthentication];
  const signIn = subject.kind === "user" ? subject : undefined;
  const user = signIn?.user;
  // Without a user the application's principal is both object and subject.
  const principalId = subject.kind === "application" ? subject.servicePrincipalId : undefined;
  // One literal: an object made of spreads costs several times as much, and every token has one.
  const claims = {
    aud: isV1 ? resource.requestedAs : resource.appId,
    iss: issuer,
    iat: times.issuedAtSeconds,
    nbf: times.notBeforeSeconds,
    exp: times.expiresAtSeconds,
    acr: isV1 && user !== undefined ? "1" : undefined,
    amr: isV1 ? signIn?.methods : undefined,
    appid: isV1 ? content.clientAppId : undefined,
    appidacr: isV1 ? authentication : undefined,
    azp: isV1 ? undefined : content.clientAppId,
    azpacr: isV1 ? undefined : authentication,
    family_name: isV1 ? user?.surname : undefined,
    given_name: isV1 ? user?.givenName : undefined,
    idp: principalId === undefined ? undefined : issuer,
    idtyp: principalId === undefined ? undefined : "app",
    ipaddr: isV1 ? signIn?.ipAddress : undefined,
    name: user?.displayName,
    oid: user?.id ?? principalId,
    preferred_username: isV1 ? undefined : user?.userPrincipalName,
    rh: content.familyId === undefined ? undefined : familyMark(content.familyId),
    scp: signIn?.scopes.join(" "),
    sid: signIn?.sessionId,
    sub: user === undefined ? principalId : pairwiseSubject(tenant, resource.appId, user.id),
    tid: tenant.id,
    unique_name: isV1 ? user?.userPrincipalName : undefined,
    upn: isV1 ? user?.userPrincipalName : undefined,
    uti: randomUUID(),
    ver: isV1 ? "1.0" : "2.0",
  };
  return Object.assign(claims, content.directoryClaims);
}

/**
 * What an access token says about the sign-in it comes from: the same for all of one sign-in, so that they can be ended
 * together, and a hash, so that it tells nothing else about it.
 */
export function familyMark(familyId: string): string {
  return sha256(`access tokens of ${familyId}`).subarray(0, 16).toString("base64url");
}
