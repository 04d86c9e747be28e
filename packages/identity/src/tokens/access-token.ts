import { createHash, randomUUID } from "node:crypto";
import { type ClientAuthentication, clientAuthentication } from "../applications/authenticate-client.ts";
import { type Resource } from "../applications/application.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";
import { type TokenVersion } from "./compact-jws.ts";
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
 * The claims of an access token, in the version that the resource's manifest asks for. (reference §6.2, §6.3)
 */
export function accessTokenClaims(content: AccessTokenContent): Readonly<Record<string, unknown>> {
  const { subject, times } = content;
  const version = content.resource.tokenVersion;
  const issuer = issuerOf(content.publicUrl, content.tenant.id, version);
  // Put together by assignment: an object made of spreads costs several times as much, and every token has one.
  const claims: Record<string, unknown> = {
    aud: version === 1 ? content.resource.requestedAs : content.resource.appId,
    iss: issuer,
    iat: times.issuedAtSeconds,
    nbf: times.notBeforeSeconds,
    exp: times.expiresAtSeconds,
  };
  claims[version === 1 ? "appid" : "azp"] = content.clientAppId;
  claims[version === 1 ? "appidacr" : "azpacr"] = clientAuthentication[content.clientAuthentication];
  return Object.assign(
    claims,
    subject.kind === "user"
      ? userClaims(content, subject, version)
      : applicationClaims(subject.servicePrincipalId, issuer),
    content.directoryClaims,
    {
      tid: content.tenant.id,
      // Members that are undefined don't reach the JSON.
      rh: content.familyId === undefined ? undefined : familyMark(content.familyId),
      uti: randomUUID(),
      ver: version === 1 ? "1.0" : "2.0",
    },
  );
}

/** Without a user the application's principal is both object and subject. */
function applicationClaims(servicePrincipalId: string, issuer: string): Readonly<Record<string, unknown>> {
  return { idp: issuer, idtyp: "app", oid: servicePrincipalId, sub: servicePrincipalId };
}

function userClaims(
  content: AccessTokenContent,
  subject: Subject & { readonly kind: "user" },
  version: TokenVersion,
): Readonly<Record<string, unknown>> {
  const { user } = subject;
  const common = {
    name: user.displayName,
    oid: user.id,
    scp: subject.scopes.join(" "),
    sid: subject.sessionId,
    sub: pairwiseSubject(content.tenant, content.resource.appId, user.id),
  };
  return version === 1
    ? {
        ...common,
        acr: "1",
        amr: subject.methods,
        ipaddr: subject.ipAddress,
        ...nameClaims(user),
        unique_name: user.userPrincipalName,
        upn: user.userPrincipalName,
      }
    : { ...common, preferred_username: user.userPrincipalName };
}

/**
 * What an access token says about the sign-in it comes from: the same for all of one sign-in, so that they can be ended
 * together, and a hash, so that it tells nothing else about it.
 */
export function familyMark(familyId: string): string {
  return createHash("sha256").update(`access tokens of ${familyId}`).digest().subarray(0, 16).toString("base64url");
}

/** Given and family name where they are known. */
export function nameClaims(user: User): Readonly<Record<string, string>> {
  return {
    ...(user.givenName === undefined ? {} : { given_name: user.givenName }),
    ...(user.surname === undefined ? {} : { family_name: user.surname }),
  };
}
