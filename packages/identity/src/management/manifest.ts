import { type Application } from "../applications/application.ts";
import { ManagementError } from "../protocol/management-error.ts";
import {
  appRoleJson,
  audienceOf,
  customKeyIdentifier,
  groupClaimsOf,
  redirectUris,
  requiredResourceJson,
  scopeJson,
} from "./application-json.ts";
import { dateTime } from "./date-time.ts";

type Members = Readonly<Record<string, unknown>>;

const REPLY_TYPES = { web: "Web", spa: "Spa", public: "InstalledClient" } as const;

/**
 * The manifest of an application as it is downloaded: the classic names, `keyCredentials[].value` null. (identity §2;
 * reference §11)
 */
export function manifestOf(application: Application): object {
  const { document } = application;
  return {
    ...document.otherManifestMembers,
    id: application.id,
    appId: application.appId,
    name: application.displayName,
    createdDateTime: dateTime(application.createdAtMs),
    accessTokenAcceptedVersion: document.tokenVersion === 1 ? null : document.tokenVersion,
    allowPublicClient: document.isPublic,
    appRoles: document.appRoles.map(appRoleJson),
    backChannelLogoutUrl: document.backChannelLogoutUrl ?? null,
    groupMembershipClaims: groupClaimsOf(document),
    identifierUris: application.identifierUris,
    keyCredentials: application.certificates.map((certificate) => ({
      customKeyIdentifier: customKeyIdentifier(certificate),
      displayName: certificate.displayName,
      endDate: dateTime(certificate.endsAtMs),
      keyId: certificate.id,
      startDate: dateTime(certificate.startsAtMs),
      type: "AsymmetricX509Cert",
      usage: "Verify",
      value: null,
    })),
    knownClientApplications: document.knownClientAppIds,
    logoutUrl: document.logoutUrl ?? null,
    oauth2AllowIdTokenImplicitFlow: document.issuesIdTokensImplicitly,
    oauth2AllowImplicitFlow: document.issuesAccessTokensImplicitly,
    oauth2Permissions: document.scopes.map(scopeJson),
    optionalClaims: document.optionalClaims,
    passwordCredentials: application.secrets.map((secret) => ({
      displayName: secret.displayName,
      endDate: dateTime(secret.endsAtMs),
      hint: secret.hint,
      keyId: secret.id,
      startDate: dateTime(secret.startsAtMs),
      value: null,
    })),
    preAuthorizedApplications: document.preAuthorizedClients.map(({ appId, scopeIds }) => ({
      appId,
      permissionIds: scopeIds,
    })),
    replyUrlsWithType: Object.entries(REPLY_TYPES).flatMap(([type, name]) =>
      redirectUris(document, type as keyof typeof REPLY_TYPES).map((url) => ({ url, type: name })),
    ),
    refreshTokens: { rotate: document.refreshTokenRotation },
    requiredResourceAccess: requiredResourceJson(document),
    requiresPkce: document.requiresPkce,
    signInAudience: audienceOf(document),
    signInUrl: document.homePageUrl ?? null,
    toleratesLineBreaksInX5c: document.toleratesLineBreaksInX5c,
    usesAssertionsOnce: document.usesAssertionsOnce,
  };
}

/** A manifest in the names of the management interface, and the members that mean nothing to us. */
export interface ReadManifest {
  readonly members: Members;
  readonly others: Members;
}

/**
 * Where each member of a manifest goes, by its classic, its later and its Graph name. Members of the right side are
 * paths in the Graph's resource; those without one are written by us alone.
 */
const MEMBERS: Readonly<Record<string, string | undefined>> = {
  id: undefined,
  objectId: undefined,
  appId: undefined,
  createdDateTime: undefined,
  "@odata.context": undefined,
  name: "displayName",
  displayName: "displayName",
  signInAudience: "signInAudience",
  availableToOtherTenants: "signInAudience",
  allowPublicClient: "isFallbackPublicClient",
  isFallbackPublicClient: "isFallbackPublicClient",
  isDisabled: "isDisabled",
  accessTokenAcceptedVersion: "api.requestedAccessTokenVersion",
  requestedAccessTokenVersion: "api.requestedAccessTokenVersion",
  oauth2Permissions: "api.oauth2PermissionScopes",
  knownClientApplications: "api.knownClientApplications",
  preAuthorizedApplications: "api.preAuthorizedApplications",
  oauth2AllowImplicitFlow: "web.implicitGrantSettings.enableAccessTokenIssuance",
  oauth2AllowIdTokenImplicitFlow: "web.implicitGrantSettings.enableIdTokenIssuance",
  logoutUrl: "web.logoutUrl",
  backChannelLogoutUrl: "web.backChannelLogoutUrl",
  signInUrl: "web.homePageUrl",
  homepage: "web.homePageUrl",
  appRoles: "appRoles",
  groupMembershipClaims: "groupMembershipClaims",
  identifierUris: "identifierUris",
  keyCredentials: "keyCredentials",
  passwordCredentials: "passwordCredentials",
  optionalClaims: "optionalClaims",
  requiredResourceAccess: "requiredResourceAccess",
  toleratesLineBreaksInX5c: "toleratesLineBreaksInX5c",
  requiresPkce: "requiresPkce",
  usesAssertionsOnce: "usesAssertionsOnce",
  refreshTokens: "refreshTokens",
  replyUrlsWithType: "redirectUris",
  replyUrls: "redirectUris",
  web: "web",
  spa: "spa",
  publicClient: "publicClient",
  api: "api",
};

/**
 * Reads a manifest of any of the three generations.
 *
 * @throws ManagementError when it isn't an object or a member is of the wrong kind
 */
export function readManifest(manifest: unknown): ReadManifest {
  if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest)) {
    throw new ManagementError("Request_BadRequest", "A manifest must be a JSON object");
  }
  const members: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(manifest)) {
    if (!Object.hasOwn(MEMBERS, name)) {
      others[name] = value;
    } else if (MEMBERS[name] !== undefined) {
      place(members, MEMBERS[name], valueOf(name, value, manifest as Members));
    }
  }
  const { redirectUris: replies, ...rest } = members;
  if (replies !== undefined) {
    placeReplies(rest, replies);
  }
  return { members: rest, others };
}

/** Some members changed not only their name. */
function valueOf(name: string, value: unknown, manifest: Members): unknown {
  switch (name) {
    case "availableToOtherTenants":
      return value === true ? "AzureADMultipleOrgs" : "AzureADMyOrg";
    case "replyUrls": {
      const type = manifest["publicClient"] === true ? REPLY_TYPES.public : REPLY_TYPES.web;
      return Array.isArray(value) ? value.map((url: unknown) => ({ url, type })) : [];
    }
    default:
      return value;
  }
}

/** The classic `publicClient` is a flag where the later one is an object. */
function place(members: Record<string, unknown>, path: string, value: unknown): void {
  if (path === "publicClient" && (typeof value === "boolean" || value === null)) {
    members["isFallbackPublicClient"] = value === true;
    return;
  }
  const names = path.split(".");
  const last = names.pop() ?? "";
  let target = members;
  for (const name of names) {
    target = openObject(target, name);
  }
  const before = target[last];
  // `api`, `web` and their kin may come whole beside members of their own.
  target[last] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
}

/** Replies by type, each collection replaced whole, also by nothing. */
function placeReplies(members: Record<string, unknown>, replies: unknown): void {
  if (!Array.isArray(replies)) {
    throw new ManagementError("Request_BadRequest", "'replyUrlsWithType' must be a list");
  }
  const targets = { Web: "web", Spa: "spa", InstalledClient: "publicClient" } as const;
  for (const [type, member] of Object.entries(targets)) {
    const urls = replies.filter((reply) => isObject(reply) && (reply["type"] ?? "Web") === type);
    openObject(members, member)["redirectUris"] = urls.map((reply: unknown) => isObject(reply) && reply["url"]);
  }
}

function openObject(parent: Record<string, unknown>, name: string): Record<string, unknown> {
  const known = parent[name];
  const opened: Record<string, unknown> = isObject(known) ? { ...known } : {};
  parent[name] = opened;
  return opened;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
