import {
  type AppRole,
  type Application,
  type ClientCertificate,
  type ClientSecret,
  type PermissionScope,
} from "../applications/application.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type User } from "../users/user.ts";

/** Entities as the management interface shows them: the names of the Graph's resources. (reference §11) */

export function tenantJson(tenant: Tenant): object {
  return {
    id: tenant.id,
    displayName: tenant.displayName,
    createdDateTime: dateTime(tenant.createdAtMs),
    verifiedDomains: tenant.domains.map((name) => ({ name, isDefault: name === tenant.defaultDomain })),
  };
}

export function userJson(user: User): object {
  return {
    id: user.id,
    userPrincipalName: user.userPrincipalName,
    displayName: user.displayName,
    givenName: user.givenName ?? null,
    surname: user.surname ?? null,
    mail: user.mail ?? null,
    accountEnabled: user.isEnabled,
    createdDateTime: dateTime(user.createdAtMs),
  };
}

/** Certificates are shown without their value, which hides it and loses nothing. (identity §2) */
export function applicationJson(application: Application): object {
  const { document } = application;
  const redirectUris = (type: string): readonly string[] =>
    document.redirectUris.filter((each) => each.type === type).map((each) => each.uri);
  return {
    id: application.id,
    appId: application.appId,
    displayName: application.displayName,
    createdDateTime: dateTime(application.createdAtMs),
    identifierUris: application.identifierUris,
    signInAudience: document.isMultiTenant ? "AzureADMultipleOrgs" : "AzureADMyOrg",
    isFallbackPublicClient: document.isPublic,
    isDisabled: !document.isEnabled,
    toleratesLineBreaksInX5c: document.toleratesLineBreaksInX5c,
    api: {
      requestedAccessTokenVersion: document.tokenVersion,
      oauth2PermissionScopes: document.scopes.map(scopeJson),
    },
    appRoles: document.appRoles.map(appRoleJson),
    web: {
      redirectUris: redirectUris("web"),
      implicitGrantSettings: {
        enableIdTokenIssuance: document.issuesIdTokensImplicitly,
        enableAccessTokenIssuance: document.issuesAccessTokensImplicitly,
      },
    },
    spa: { redirectUris: redirectUris("spa") },
    publicClient: { redirectUris: redirectUris("public") },
    passwordCredentials: application.secrets.map((secret) => secretJson(secret)),
    keyCredentials: application.certificates.map(certificateJson),
  };
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

export function certificateJson(certificate: ClientCertificate): object {
  return {
    keyId: certificate.id,
    displayName: certificate.displayName,
    type: "AsymmetricX509Cert",
    usage: "Verify",
    customKeyIdentifier: Buffer.from(certificate.sha1Thumbprint, "base64url").toString("base64"),
    key: null,
    startDateTime: dateTime(certificate.startsAtMs),
    endDateTime: dateTime(certificate.endsAtMs),
  };
}

function scopeJson(scope: PermissionScope): object {
  return {
    id: scope.id,
    value: scope.value,
    type: scope.consentBy,
    isEnabled: scope.isEnabled,
    adminConsentDescription: scope.description,
  };
}

function appRoleJson(role: AppRole): object {
  return { ...role };
}

function dateTime(ms: number): string {
  return new Date(ms).toISOString();
}
