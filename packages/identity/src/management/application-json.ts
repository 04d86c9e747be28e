import {
  type AppRole,
  type Application,
  type ApplicationDocument,
  type ClientCertificate,
  type ClientSecret,
  type PermissionScope,
} from "../applications/application.ts";
import { dateTime } from "./date-time.ts";

/** An application as the management interface shows it: the names of the Graph's resource. (reference §11) */
export function applicationJson(application: Application): object {
  const { document } = application;
  return {
    id: application.id,
    appId: application.appId,
    displayName: application.displayName,
    createdDateTime: dateTime(application.createdAtMs),
    identifierUris: application.identifierUris,
    signInAudience: audienceOf(document),
    isFallbackPublicClient: document.isPublic,
    isDisabled: !document.isEnabled,
    toleratesLineBreaksInX5c: document.toleratesLineBreaksInX5c,
    requiresPkce: document.requiresPkce,
    usesAssertionsOnce: document.usesAssertionsOnce,
    refreshTokens: { rotate: document.refreshTokenRotation },
    groupMembershipClaims: groupClaimsOf(document),
    optionalClaims: document.optionalClaims,
    requiredResourceAccess: requiredResourceJson(document),
    api: {
      requestedAccessTokenVersion: document.tokenVersion,
      oauth2PermissionScopes: document.scopes.map(scopeJson),
      knownClientApplications: document.knownClientAppIds,
      preAuthorizedApplications: document.preAuthorizedClients.map(({ appId, scopeIds }) => ({
        appId,
        delegatedPermissionIds: scopeIds,
      })),
    },
    appRoles: document.appRoles.map(appRoleJson),
    web: {
      homePageUrl: document.homePageUrl ?? null,
      logoutUrl: document.logoutUrl ?? null,
      backChannelLogoutUrl: document.backChannelLogoutUrl ?? null,
      redirectUris: redirectUris(document, "web"),
      implicitGrantSettings: {
        enableIdTokenIssuance: document.issuesIdTokensImplicitly,
        enableAccessTokenIssuance: document.issuesAccessTokensImplicitly,
      },
    },
    spa: { redirectUris: redirectUris(document, "spa") },
    publicClient: { redirectUris: redirectUris(document, "public") },
    passwordCredentials: application.secrets.map((secret) => secretJson(secret)),
    keyCredentials: application.certificates.map(certificateJson),
  };
}

export function audienceOf(document: ApplicationDocument): string {
  return document.isMultiTenant ? "AzureADMultipleOrgs" : "AzureADMyOrg";
}

export function groupClaimsOf(document: ApplicationDocument): string | null {
  return document.groupMembershipClaims === "None" ? null : document.groupMembershipClaims;
}

export function requiredResourceJson(document: ApplicationDocument): readonly object[] {
  return document.requiredResources.map(({ resourceAppId, access }) => ({ resourceAppId, resourceAccess: access }));
}

export function redirectUris(document: ApplicationDocument, type: "web" | "spa" | "public"): readonly string[] {
  return document.redirectUris.filter((each) => each.type === type).map((each) => each.uri);
}

/** @param text  the secret itself, in the one answer that shows it */
export function secretJson(secret: Omit<ClientSecret, "sha256">, text: string | null = null): object {
  return {
    keyId: secret.id,
    displayName: secret.displayName,
    hint: secret.hint,
    secretText: text,
    startDateTime: dateTime(secret.startsAtMs),
    endDateTime: dateTime(secret.endsAtMs),
  };
}

/** Certificates are shown without their value, which hides it and loses nothing. (identity §2) */
export function certificateJson(certificate: ClientCertificate): object {
  return {
    keyId: certificate.id,
    displayName: certificate.displayName,
    type: "AsymmetricX509Cert",
    usage: "Verify",
    customKeyIdentifier: customKeyIdentifier(certificate),
    key: null,
    startDateTime: dateTime(certificate.startsAtMs),
    endDateTime: dateTime(certificate.endsAtMs),
  };
}

/** base64 SHA-1 of the certificate. */
export function customKeyIdentifier(certificate: ClientCertificate): string {
  return Buffer.from(certificate.sha1Thumbprint, "base64url").toString("base64");
}

export function scopeJson(scope: PermissionScope): object {
  return {
    id: scope.id,
    value: scope.value,
    type: scope.consentBy,
    isEnabled: scope.isEnabled,
    adminConsentDisplayName: scope.adminConsentDisplayName ?? scope.value,
    adminConsentDescription: scope.description,
    userConsentDisplayName: scope.userConsentDisplayName ?? null,
    userConsentDescription: scope.userConsentDescription ?? null,
  };
}

export function appRoleJson(role: AppRole): object {
  return { ...role };
}
