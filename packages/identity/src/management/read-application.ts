import { randomUUID } from "node:crypto";
import {
  type AppRole,
  type ApplicationDocument,
  type OptionalClaim,
  type OptionalClaims,
  type PermissionScope,
  type PreAuthorizedClient,
  type RedirectUri,
  type RequiredResource,
} from "../applications/application.ts";
import { readLogoutUrl } from "../sign-out/logout-url.ts";
import { readRedirectUri } from "../applications/redirect-uri.ts";
import { isGuid } from "../protocol/exchange.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type JsonInput } from "./json-input.ts";

const AUDIENCES = ["AzureADMyOrg", "AzureADMultipleOrgs", "AzureADandPersonalMicrosoftAccount"] as const;
const GROUP_CLAIMS = ["None", "SecurityGroup", "DirectoryRole", "ApplicationGroup", "All"] as const;
/** Over all collections of a registration. (reference §11) */
const ENTRY_LIMIT = 1_200;
/** (reference §12) */
const REDIRECT_URI_LIMIT = 256;

/**
 * The members of an application that have no table of their own; absent ones stay absent.
 *
 * @throws ManagementError naming the member that is malformed, repeated, or one too many
 */
export function readApplicationDocument(input: JsonInput, before: ApplicationDocument): Partial<ApplicationDocument> {
  const api = input.findObject("api");
  const web = input.findObject("web");
  const implicit = web?.findObject("implicitGrantSettings");
  const audience = input.findOneOf("signInAudience", AUDIENCES);
  const isDisabled = input.findFlag("isDisabled");
  const document = withoutUndefined({
    isEnabled: isDisabled === undefined ? undefined : !isDisabled,
    isPublic: input.findFlag("isFallbackPublicClient"),
    isMultiTenant: audience === undefined ? undefined : audience !== "AzureADMyOrg",
    tokenVersion: readTokenVersion(api),
    redirectUris: readRedirectUris(input, before),
    scopes: api?.findObjects("oauth2PermissionScopes")?.map((scope) => readScope(scope, before.scopes)),
    appRoles: input.findObjects("appRoles")?.map((role) => readAppRole(role, before.appRoles)),
    issuesIdTokensImplicitly: implicit?.findFlag("enableIdTokenIssuance"),
    issuesAccessTokensImplicitly: implicit?.findFlag("enableAccessTokenIssuance"),
    toleratesLineBreaksInX5c: input.findFlag("toleratesLineBreaksInX5c"),
    requiredResources: input.findObjects("requiredResourceAccess")?.map(readRequiredResource),
    knownClientAppIds: api?.findTexts("knownClientApplications")?.map(readGuid),
    preAuthorizedClients: api?.findObjects("preAuthorizedApplications")?.map(readPreAuthorizedClient),
    groupMembershipClaims: readGroupClaims(input),
    optionalClaims: input.has("optionalClaims") ? readOptionalClaims(input.findObject("optionalClaims")) : undefined,
    requiresPkce: input.findFlag("requiresPkce"),
    usesAssertionsOnce: input.findFlag("usesAssertionsOnce"),
    refreshTokenRotation: input.findObject("refreshTokens")?.findOneOf("rotate", ROTATIONS),
  });
  checkCollections({ ...before, ...document });
  const homePage =
    web?.has("homePageUrl") === true ? { homePageUrl: web.findClearableText("homePageUrl") ?? undefined } : {};
  return { ...document, ...homePage, ...readLogoutUrls(web) };
}

const ROTATIONS = ["public", "never", "always"] as const;

/** Where the application is told of sign-outs; null takes an address away. */
function readLogoutUrls(web: JsonInput | undefined): Partial<ApplicationDocument> {
  const urls: { logoutUrl?: string | undefined; backChannelLogoutUrl?: string | undefined } = {};
  for (const name of ["logoutUrl", "backChannelLogoutUrl"] as const) {
    if (web?.has(name) === true) {
      const url = web.findText(name);
      urls[name] = url === undefined || url === "" ? undefined : readLogoutUrl(name, url);
    }
  }
  return urls;
}

/** The manifest's null means 1. */
function readTokenVersion(api: JsonInput | undefined): 1 | 2 | undefined {
  return api?.has("requestedAccessTokenVersion") === true
    ? (api.findOneOf("requestedAccessTokenVersion", [1, 2] as const) ?? 1)
    : undefined;
}

const REDIRECT_MEMBERS = { web: "web", spa: "spa", publicClient: "public" } as const;

/** Each of the three collections is replaced whole when it is there. */
function readRedirectUris(input: JsonInput, before: ApplicationDocument): readonly RedirectUri[] | undefined {
  let uris = before.redirectUris;
  for (const [member, type] of Object.entries(REDIRECT_MEMBERS)) {
    const replacement = input.findObject(member)?.findTexts("redirectUris");
    if (replacement !== undefined) {
      const added = replacement.map((uri) => ({ uri: readRedirectUri(uri, type), type }));
      uris = [...uris.filter((each) => each.type !== type), ...added];
    }
  }
  return uris === before.redirectUris ? undefined : uris;
}

const PERMISSION_NAME = /^[\w.:-]{1,120}$/;

function readScope(input: JsonInput, before: readonly PermissionScope[]): PermissionScope {
  const value = readPermissionName(input);
  return {
    id: readId(input, value, before),
    value,
    description: input.findText("adminConsentDescription") ?? "",
    consentBy: input.findOneOf("type", ["User", "Admin"] as const) ?? "User",
    isEnabled: input.findFlag("isEnabled") ?? true,
    ...withoutUndefined({
      adminConsentDisplayName: input.findText("adminConsentDisplayName"),
      userConsentDisplayName: input.findText("userConsentDisplayName"),
      userConsentDescription: input.findText("userConsentDescription"),
    }),
  };
}

const MEMBER_TYPES = ["User", "Application"] as const;

function readMemberType(type: string): AppRole["allowedMemberTypes"][number] {
  const known = MEMBER_TYPES.find((each) => each === type);
  if (known === undefined) {
    throw new ManagementError("Request_BadRequest", `'allowedMemberTypes' holds some of ${MEMBER_TYPES.join(", ")}`);
  }
  return known;
}

function readAppRole(input: JsonInput, before: readonly AppRole[]): AppRole {
  const value = readPermissionName(input);
  return {
    id: readId(input, value, before),
    value,
    displayName: input.findText("displayName") ?? value,
    description: input.findText("description") ?? "",
    allowedMemberTypes: input.findTexts("allowedMemberTypes")?.map(readMemberType) ?? MEMBER_TYPES,
    isEnabled: input.findFlag("isEnabled") ?? true,
  };
}

function readRequiredResource(input: JsonInput): RequiredResource {
  return {
    resourceAppId: readGuid(input.getText("resourceAppId")),
    access: (input.findObjects("resourceAccess") ?? []).map((access) => ({
      id: readGuid(access.getText("id")),
      type: access.findOneOf("type", ["Scope", "Role"] as const) ?? "Scope",
    })),
  };
}

/** The two names of the member are those of the later and the classic manifest. */
function readPreAuthorizedClient(input: JsonInput): PreAuthorizedClient {
  const scopeIds = input.findTexts("delegatedPermissionIds") ?? input.findTexts("permissionIds") ?? [];
  return { appId: readGuid(input.getText("appId")), scopeIds: scopeIds.map(readGuid) };
}

/** One word or several with commas; several together are all. */
function readGroupClaims(input: JsonInput): ApplicationDocument["groupMembershipClaims"] | undefined {
  if (!input.has("groupMembershipClaims")) {
    return undefined;
  }
  const words = (input.findText("groupMembershipClaims") ?? "None").split(",").map((word) => word.trim());
  const known = words.map((word) => GROUP_CLAIMS.find((each) => each === word));
  if (known.includes(undefined)) {
    throw new ManagementError(
      "Request_BadRequest",
      `'groupMembershipClaims' must be one of ${GROUP_CLAIMS.join(", ")}`,
    );
  }
  return known.length === 1 ? known[0] : "All";
}

/** Null takes all of them away. */
function readOptionalClaims(input: JsonInput | undefined): OptionalClaims {
  const claims = (name: string): readonly OptionalClaim[] => (input?.findObjects(name) ?? []).map(readOptionalClaim);
  return { idToken: claims("idToken"), accessToken: claims("accessToken"), saml2Token: claims("saml2Token") };
}

function readOptionalClaim(input: JsonInput): OptionalClaim {
  return {
    name: input.getText("name"),
    source: input.findText("source") ?? null,
    essential: input.findFlag("essential") ?? false,
    additionalProperties: input.findTexts("additionalProperties") ?? [],
  };
}

function checkCollections(document: ApplicationDocument): void {
  const { redirectUris, scopes, appRoles, requiredResources, knownClientAppIds, preAuthorizedClients } = document;
  const collections = [redirectUris, scopes, appRoles, requiredResources, knownClientAppIds, preAuthorizedClients];
  if (collections.reduce((sum, each) => sum + each.length, 0) > ENTRY_LIMIT) {
    throw new ManagementError("Request_BadRequest", `An application has at most ${ENTRY_LIMIT} entries in all`);
  }
  if (redirectUris.length > REDIRECT_URI_LIMIT) {
    throw new ManagementError("Request_BadRequest", `An application has at most ${REDIRECT_URI_LIMIT} reply addresses`);
  }
  for (const [what, permissions] of [
    ["scope", scopes],
    ["role", appRoles],
  ] as const) {
    // Requests name scopes in any case, so two that differ in nothing else would be one.
    const repeated =
      findRepeated(permissions.map((each) => each.id)) ??
      findRepeated(permissions.map((each) => each.value.toLowerCase()));
    if (repeated !== undefined) {
      throw new ManagementError("Request_BadRequest", `The ${what} '${repeated}' is there twice`);
    }
  }
}

function findRepeated(values: readonly string[]): string | undefined {
  return values.find((value, index) => values.indexOf(value) !== index);
}

function readPermissionName(input: JsonInput): string {
  const value = input.getText("value");
  if (!PERMISSION_NAME.test(value)) {
    throw new ManagementError("Request_BadRequest", `'${value}' cannot be the name of a scope or role`);
  }
  return value;
}

/** Without an id it is the one of this name that is there already, so that consents and assignments keep their meaning. */
function readId(
  input: JsonInput,
  value: string,
  before: readonly { readonly id: string; readonly value: string }[],
): string {
  const known = before.find((each) => each.value === value)?.id;
  return readGuid(input.findText("id") ?? known ?? randomUUID());
}

/** A GUID in lower case. @throws ManagementError when it isn't one */
export function readGuid(text: string): string {
  if (!isGuid(text)) {
    throw new ManagementError("Request_BadRequest", `'${text.slice(0, 100)}' is not a GUID`);
  }
  return text.toLowerCase();
}

export function withoutUndefined<Value extends object>(
  value: Value,
): { [K in keyof Value]?: Exclude<Value[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof Value]?: Exclude<Value[K], undefined>;
  };
}
