/**
 * The tables of the provider's database. Flags are 0 and 1, times are milliseconds since 1970, identifiers are GUIDs in
 * lower case; `document` columns are JSON text whose shape is checked when read.
 */
export interface IdentityTables {
  readonly tenants: TenantRow;
  readonly tenant_domains: TenantDomainRow;
  readonly applications: ApplicationRow;
  readonly application_identifier_uris: IdentifierUriRow;
  readonly application_secrets: SecretRow;
  readonly application_certificates: CertificateRow;
  readonly federated_credentials: FederatedCredentialRow;
  readonly service_principals: ServicePrincipalRow;
  readonly users: UserRow;
  readonly directory_role_members: DirectoryRoleMemberRow;
  readonly sign_in_failures: SignInFailureRow;
  readonly signing_keys: SigningKeyRow;
  readonly refresh_token_families: RefreshTokenFamilyRow;
  readonly refresh_tokens: RefreshTokenRow;
  readonly sessions: SessionRow;
  readonly session_clients: SessionClientRow;
  readonly authorization_codes: AuthorizationCodeRow;
  readonly device_codes: DeviceCodeRow;
  readonly groups: GroupRow;
  readonly group_members: GroupMemberRow;
  readonly app_role_assignments: AppRoleAssignmentRow;
  readonly permission_grants: PermissionGrantRow;
  readonly revoked_tokens: RevokedTokenRow;
  readonly managed_identities: ManagedIdentityRow;
  readonly audit_events: AuditEventRow;
  readonly logout_deliveries: LogoutDeliveryRow;
  readonly used_assertions: UsedAssertionRow;
  readonly user_factors: UserFactorRow;
  readonly familiar_places: FamiliarPlaceRow;
  readonly shared_changes: SharedChangesRow;
  readonly token_lifetime_policies: TokenLifetimePolicyRow;
  readonly token_lifetime_assignments: TokenLifetimeAssignmentRow;
}

export interface TenantRow {
  id: string;
  /** Order of creation; the smallest is the default tenant. */
  position: number;
  display_name: string;
  /** Key of the pairwise subjects, sealed. */
  subject_key_sealed: Buffer;
  created_at_ms: number;
  /** Whether assertions of all its applications may hold line breaks in `x5c`. */
  tolerates_line_breaks: number;
  /** Whether all its users need a second factor where they can be asked. */
  requires_second_factor: number;
}

export interface TenantDomainRow {
  /** Lower case. */
  domain: string;
  tenant_id: string;
  is_default: number;
}

export interface ApplicationRow {
  /** Object id. */
  id: string;
  tenant_id: string;
  /** The `client_id`. */
  app_id: string;
  display_name: string;
  /** {@link ApplicationDocument} as JSON. */
  document: string;
  created_at_ms: number;
}

export interface IdentifierUriRow {
  tenant_id: string;
  uri: string;
  application_id: string;
}

export interface SecretRow {
  id: string;
  application_id: string;
  display_name: string;
  /** First three characters, to recognise it by. */
  hint: string;
  secret_sha256: Buffer;
  starts_at_ms: number;
  ends_at_ms: number;
}

export interface CertificateRow {
  id: string;
  application_id: string;
  display_name: string;
  certificate_der: Buffer;
  starts_at_ms: number;
  ends_at_ms: number;
}

/** Trust of an application in an outside issuer. */
export interface FederatedCredentialRow {
  id: string;
  application_id: string;
  name: string;
  issuer: string;
  subject: string;
  /** JSON list of texts. */
  audiences: string;
  description: string;
  created_at_ms: number;
}

/** The application as it stands in one tenant: what `oid` names in a token without a user. */
export interface ServicePrincipalRow {
  id: string;
  tenant_id: string;
  application_id: string;
}

export interface UserRow {
  /** Object id. */
  id: string;
  tenant_id: string;
  /** As written; unique across the installation in lower case. */
  user_principal_name: string;
  user_principal_name_lower: string;
  display_name: string;
  given_name: string | null;
  surname: string | null;
  mail: string | null;
  is_enabled: number;
  /** argon2id in PHC form; null when the user can't sign in with a password. */
  password_hash: string | null;
  must_change_password: number;
  /** Grants made before this moment no longer count. */
  sessions_valid_from_ms: number;
  created_at_ms: number;
}

/** Where a user has signed in from. */
export interface FamiliarPlaceRow {
  /** Keyed digest of name and network. */
  place_sha256: Buffer;
  seen_at_ms: number;
}

/** An authenticator application of a user. */
export interface UserFactorRow {
  id: string;
  user_id: string;
  secret_sealed: Buffer;
  /** The time step of the last code: it and those before don't count again. */
  last_step: number;
  created_at_ms: number;
}

export interface DirectoryRoleMemberRow {
  tenant_id: string;
  principal_id: string;
  role: string;
}

/** Failed password attempts by user name, known or not, so that a lockout doesn't tell which names exist. */
export interface SignInFailureRow {
  /** SHA-256 of tenant and lower-case user name. */
  name_sha256: Buffer;
  failures: number;
  locked_until_ms: number;
  /** Short keyed tags of the last wrong passwords: the same mistake repeated counts once. */
  recent_tags: string;
  updated_at_ms: number;
}

export interface SigningKeyRow {
  /** base64url SHA-1 of the certificate: `kid` and `x5t`. */
  kid: string;
  certificate_der: Buffer;
  private_key_sealed: Buffer;
  /** Signing starts here; published before. */
  active_from_ms: number;
  /** Signing stops here; published for some time longer. */
  retired_at_ms: number | null;
  created_at_ms: number;
}

/** All refresh tokens of one sign-in. */
export interface RefreshTokenFamilyRow {
  id: string;
  tenant_id: string;
  user_id: string;
  app_id: string;
  authenticated_at_ms: number;
  /** Methods of the sign-in, space separated. */
  methods: string;
  is_revoked: number;
  created_at_ms: number;
  /** No token of the family lives longer, however often it was exchanged; null: as long as it is used. */
  ends_at_ms: number | null;
  /** The browser session it began in, as clients know it. */
  session_id: string | null;
  /** Whether its code went to the page of a single-page application. */
  is_single_page: number;
}

export interface RefreshTokenRow {
  token_sha256: Buffer;
  family_id: string;
  /** App ID URI or client id of the resource it was first asked for. */
  resource: string;
  scope: string;
  issued_at_ms: number;
  expires_at_ms: number;
  /** When it was first exchanged; rotation of public clients counts from here. */
  used_at_ms: number | null;
}

export interface GroupRow {
  id: string;
  tenant_id: string;
  display_name: string;
  mail_nickname: string;
  description: string | null;
  created_at_ms: number;
}

/** A user, group or service principal: the same id in `principal_id` and in the column of its kind. */
export interface PrincipalColumns {
  principal_id: string;
  user_id: string | null;
  member_group_id: string | null;
  service_principal_id: string | null;
}

export interface GroupMemberRow extends PrincipalColumns {
  group_id: string;
}

/** A role of a resource, given to a user, a group or another application. */
export interface AppRoleAssignmentRow extends PrincipalColumns {
  id: string;
  tenant_id: string;
  /** {@link AppRole} of the resource; all zeros for access without a role. */
  app_role_id: string;
  resource_app_id: string;
  /** Null for the built-in directory, which has no registration. */
  resource_application_id: string | null;
  created_at_ms: number;
}

/** Delegated permissions that a client was given: a consent. */
export interface PermissionGrantRow {
  id: string;
  tenant_id: string;
  client_application_id: string;
  resource_app_id: string;
  resource_application_id: string | null;
  /** The user's id, or `*` when an administrator consented for everybody. */
  consented_by: string;
  user_id: string | null;
  /** Names of scopes, space separated. */
  scope: string;
  created_at_ms: number;
}

/** An access token that was revoked before its time, by its `uti`. */
export interface RevokedTokenRow {
  token_id: string;
  revoked_at_ms: number;
  expires_at_ms: number;
}

/** What makes an application a managed identity. */
export interface ManagedIdentityRow {
  application_id: string;
  tenant_id: string;
  name: string;
  /** Digest of the secret header value that authenticates the hosted application. */
  header_sha256: Buffer;
  /** JSON list of the resources it may get tokens for; empty for all. */
  resources: string;
  created_at_ms: number;
}

/** Rows are only ever added, and removed when their time of retention is over. */
export interface AuditEventRow {
  /** Sorts in the order of happening. */
  id: string;
  at_ms: number;
  tenant_id: string | null;
  category: string;
  activity: string;
  outcome: string;
  /** The rest of the event as JSON. */
  details: string;
}

/** A browser in which somebody signed in. */
export interface SessionRow {
  /** SHA-256 of the cookie's value. */
  id_sha256: Buffer;
  /** GUID that clients see: `session_state`, `sid`. */
  public_id: string;
  tenant_id: string;
  user_id: string;
  methods: string;
  authenticated_at_ms: number;
  expires_at_ms: number;
}

/** A client that somebody signed in to in a session: told when the session ends. */
export interface SessionClientRow {
  session_sha256: Buffer;
  app_id: string;
  /** 1 or 2: that of the endpoint it was last signed in to at, whose issuer it knows. */
  token_version: number;
}

/** A client that is to be told that a session has ended; gone once it was. */
export interface LogoutDeliveryRow {
  id: string;
  tenant_id: string;
  user_id: string;
  user_name: string;
  app_id: string;
  token_version: number;
  /** The session as clients know it. */
  session_id: string;
  attempts: number;
  /** Until then the process that is at it has it for itself. */
  due_at_ms: number;
}

/** An assertion of an application whose assertions count once. */
export interface UsedAssertionRow {
  assertion_sha256: Buffer;
  expires_at_ms: number;
}

export interface AuthorizationCodeRow {
  code_sha256: Buffer;
  tenant_id: string;
  app_id: string;
  user_id: string;
  redirect_uri: string;
  /** Whether the request named the reply address: then the redemption must repeat it. */
  is_redirect_uri_required: number;
  /** v1: the resource when it was named at the authorize endpoint. */
  resource: string | null;
  scope: string;
  nonce: string | null;
  code_challenge: string | null;
  code_challenge_method: string | null;
  methods: string;
  authenticated_at_ms: number;
  /** Whether `auth_time` belongs into the id token. */
  is_auth_time_asked: number;
  /** The refresh tokens that the code will give, so that they can be revoked with it. */
  family_id: string;
  expires_at_ms: number;
  redeemed_at_ms: number | null;
  /** The browser session it was given in, as clients know it. */
  session_id: string | null;
  /** The `claims` parameter as it came. */
  claims: string | null;
  /** Where the user sat. */
  ip_address: string | null;
}

/** A device that waits for somebody to sign in elsewhere. */
export interface DeviceCodeRow {
  device_code_sha256: Buffer;
  /** What the user types; upper case. */
  user_code: string;
  /** null: the request named no tenant of its own. */
  tenant_id: string | null;
  app_id: string;
  /** v1: the resource named. */
  resource: string | null;
  scope: string;
  state: "pending" | "approved" | "declined" | "redeemed";
  user_id: string | null;
  user_tenant_id: string | null;
  methods: string;
  authenticated_at_ms: number;
  polled_at_ms: number;
  expires_at_ms: number;
  /** The `claims` parameter as it came. */
  claims: string | null;
}

/** How long tokens live, where somebody decided so. */
export interface TokenLifetimePolicyRow {
  id: string;
  tenant_id: string;
  display_name: string;
  /** JSON. */
  definition: string;
  is_default: number;
  created_at_ms: number;
}

/** Which application or principal a policy is given to: its id in `target_id` and in the column of its kind. */
export interface TokenLifetimeAssignmentRow {
  target_id: string;
  tenant_id: string;
  policy_id: string;
  application_id: string | null;
  service_principal_id: string | null;
}

/** The one row that rises with every change to what processes keep in memory. */
export interface SharedChangesRow {
  id: number;
  changes: number;
}
