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
  readonly service_principals: ServicePrincipalRow;
  readonly users: UserRow;
  readonly directory_role_members: DirectoryRoleMemberRow;
  readonly sign_in_failures: SignInFailureRow;
  readonly signing_keys: SigningKeyRow;
  readonly refresh_token_families: RefreshTokenFamilyRow;
  readonly refresh_tokens: RefreshTokenRow;
}

export interface TenantRow {
  id: string;
  /** Order of creation; the smallest is the default tenant. */
  position: number;
  display_name: string;
  /** Key of the pairwise subjects, sealed. */
  subject_key_sealed: Buffer;
  created_at_ms: number;
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
