import { type KeyObject } from "node:crypto";

/** An application registration: a client, a resource, or both. (identity §2) */
export interface Application {
  /** Object id. */
  readonly id: string;
  /** The `client_id`: a GUID in lower case. */
  readonly appId: string;
  readonly tenantId: string;
  readonly displayName: string;
  readonly createdAtMs: number;
  readonly document: ApplicationDocument;
  /** App ID URIs, by which resources are asked for. */
  readonly identifierUris: readonly string[];
  readonly secrets: readonly ClientSecret[];
  readonly certificates: readonly ClientCertificate[];
  /** Object id of the application's principal by tenant. */
  readonly servicePrincipals: ReadonlyMap<string, string>;
}

/** What of the manifest has no table of its own. */
export interface ApplicationDocument {
  readonly isEnabled: boolean;
  /** A public client has no credential. */
  readonly isPublic: boolean;
  /** Whether users and administrators of other tenants may use it. */
  readonly isMultiTenant: boolean;
  /** Version of the access tokens made for it as a resource; the manifest's null is 1. */
  readonly tokenVersion: 1 | 2;
  readonly redirectUris: readonly RedirectUri[];
  readonly scopes: readonly PermissionScope[];
  readonly appRoles: readonly AppRole[];
  readonly issuesIdTokensImplicitly: boolean;
  readonly issuesAccessTokensImplicitly: boolean;
  /** Accepts an assertion whose `x5c` holds line breaks, which the interface refuses. (identity §2) */
  readonly toleratesLineBreaksInX5c: boolean;
  /** Codes only for requests with a challenge, whatever the client and the endpoint. (rulings, Identity 2) */
  readonly requiresPkce: boolean;
  /** Whether an assertion's `jti` counts once; clients that keep assertions fail then. (design §4) */
  readonly usesAssertionsOnce: boolean;
  /** Which refresh tokens are used up when they are exchanged. (rulings, Identity 3) */
  readonly refreshTokenRotation: RefreshTokenRotation;
  /** Where the application is told, from server to server, that a session has ended. (decisions/0026) */
  readonly backChannelLogoutUrl?: string | undefined;
  /** The identity of a hosted application: it gets tokens by its secret header only and is managed as such. */
  readonly isManagedIdentity: boolean;
  /** Only principals with a role of this application get tokens for it. */
  readonly requiresAssignment: boolean;
  readonly requiredResources: readonly RequiredResource[];
  /** Clients whose consent dialogue covers this application too. */
  readonly knownClientAppIds: readonly string[];
  readonly preAuthorizedClients: readonly PreAuthorizedClient[];
  /** Which groups go into tokens: the manifest's word, `None` when absent. */
  readonly groupMembershipClaims: GroupMembershipClaims;
  readonly optionalClaims: OptionalClaims;
  /** Called in a hidden frame when the user signs out. */
  readonly logoutUrl?: string | undefined;
  readonly homePageUrl?: string | undefined;
  /** Members of an uploaded manifest that mean nothing here, given back as they came. (reference §11) */
  readonly otherManifestMembers: Readonly<Record<string, unknown>>;
}

/** Those of public clients, none, or all. */
export type RefreshTokenRotation = "public" | "never" | "always";

export type GroupMembershipClaims = "None" | "SecurityGroup" | "DirectoryRole" | "ApplicationGroup" | "All";

/** Permissions that an application asks for beforehand. */
export interface RequiredResource {
  readonly resourceAppId: string;
  readonly access: readonly { readonly id: string; readonly type: "Scope" | "Role" }[];
}

/** A client that needs no consent for these scopes. */
export interface PreAuthorizedClient {
  readonly appId: string;
  readonly scopeIds: readonly string[];
}

/** Claims that are issued only when asked for, by kind of token. */
export interface OptionalClaims {
  readonly idToken: readonly OptionalClaim[];
  readonly accessToken: readonly OptionalClaim[];
  readonly saml2Token: readonly OptionalClaim[];
}

export interface OptionalClaim {
  readonly name: string;
  readonly source: string | null;
  readonly essential: boolean;
  readonly additionalProperties: readonly string[];
}

export interface RedirectUri {
  readonly uri: string;
  readonly type: "web" | "spa" | "public";
}

/** A permission that users give to clients: ends up in `scp`. */
export interface PermissionScope {
  readonly id: string;
  readonly value: string;
  readonly description: string;
  /** Texts of the consent dialogue; {@link description} is what administrators read in full. */
  readonly adminConsentDisplayName?: string | undefined;
  readonly userConsentDisplayName?: string | undefined;
  readonly userConsentDescription?: string | undefined;
  /** Who may consent. */
  readonly consentBy: "User" | "Admin";
  readonly isEnabled: boolean;
}

/** A role of users or applications: ends up in `roles`. */
export interface AppRole {
  readonly id: string;
  readonly value: string;
  readonly displayName: string;
  readonly description: string;
  readonly allowedMemberTypes: readonly ("User" | "Application")[];
  readonly isEnabled: boolean;
}

/** The target of an access token. */
export interface Resource {
  readonly appId: string;
  readonly tokenVersion: 1 | 2;
  readonly scopes: readonly PermissionScope[];
  readonly appRoles: readonly AppRole[];
  /** What of it is registered; undefined for the built-in directory. */
  readonly registration?: Application;
  /** As the client named it: `aud` of a v1 token, `resource` of a v1 answer. */
  readonly requestedAs: string;
}

/** A client secret; only its digest is known. */
export interface ClientSecret {
  readonly id: string;
  readonly displayName: string;
  readonly hint: string;
  readonly sha256: Uint8Array;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
}

/** A registered public certificate: an entry of `keyCredentials`. */
export interface ClientCertificate {
  readonly id: string;
  readonly displayName: string;
  readonly der: Uint8Array;
  /** base64url without padding. */
  readonly sha1Thumbprint: string;
  readonly sha256Thumbprint: string;
  readonly publicKey: KeyObject;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
}

/** What a new registration is unless told otherwise. */
export const newApplicationDocument: ApplicationDocument = {
  isEnabled: true,
  isPublic: false,
  isMultiTenant: false,
  tokenVersion: 1,
  redirectUris: [],
  scopes: [],
  appRoles: [],
  issuesIdTokensImplicitly: false,
  issuesAccessTokensImplicitly: false,
  toleratesLineBreaksInX5c: false,
  requiresPkce: false,
  usesAssertionsOnce: false,
  refreshTokenRotation: "public",
  isManagedIdentity: false,
  requiresAssignment: false,
  requiredResources: [],
  knownClientAppIds: [],
  preAuthorizedClients: [],
  groupMembershipClaims: "None",
  optionalClaims: { idToken: [], accessToken: [], saml2Token: [] },
  otherManifestMembers: {},
};
