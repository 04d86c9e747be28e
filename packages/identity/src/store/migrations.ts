import { bytesType, type Migration } from "@trefoil/database";
import { type CreateTableBuilder, type Transaction } from "kysely";

/** The schema's history, oldest first: steps are appended and never edited. */
export const identityMigrations: readonly Migration[] = [
  { name: "0001-tenants", up: createTenants },
  { name: "0002-applications", up: createApplications },
  { name: "0003-users", up: createUsers },
  { name: "0004-signing-keys", up: createSigningKeys },
  { name: "0005-refresh-tokens", up: createRefreshTokens },
  { name: "0006-sign-in", up: createSignIn },
  { name: "0006-groups-and-assignments", up: createGroupsAndAssignments },
  { name: "0007-revoked-tokens", up: createRevokedTokens },
  { name: "0008-managed-identities", up: createManagedIdentities },
  { name: "0009-audit", up: createAudit },
  { name: "0010-device-codes-and-family-ends", up: createDeviceCodes },
  { name: "0011-session-clients", up: createSessionClients },
  { name: "0012-federated-credentials", up: createFederatedCredentials },
  { name: "0013-sign-ins-remember-their-session", up: rememberSessions },
  { name: "0014-token-lifetimes", up: createTokenLifetimes },
  { name: "0015-logout-deliveries-and-used-assertions", up: createLogoutDeliveries },
  { name: "0016-shared-changes", up: createSharedChanges },
  { name: "0017-second-factors", up: createFactors },
  { name: "0018-familiar-places", up: createFamiliarPlaces },
  { name: "0019-sign-ins-of-pages", up: rememberPages },
  { name: "0020-versions-of-session-clients", up: rememberVersions },
];

async function createTenants(transaction: Transaction<unknown>): Promise<void> {
  await transaction.schema
    .createTable("tenants")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("position", "integer", (column) => column.notNull().unique())
    .addColumn("display_name", "text", (column) => column.notNull())
    .addColumn("subject_key_sealed", bytesType(transaction), (column) => column.notNull())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await ownedByTenant(transaction.schema.createTable("tenant_domains"))
    .addColumn("domain", "text", (column) => column.primaryKey())
    .addColumn("is_default", "integer", (column) => column.notNull())
    .execute();
}

async function createApplications(transaction: Transaction<unknown>): Promise<void> {
  await ownedByTenant(transaction.schema.createTable("applications"))
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("app_id", "text", (column) => column.notNull().unique())
    .addColumn("display_name", "text", (column) => column.notNull())
    .addColumn("document", "text", (column) => column.notNull())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await ownedByApplication(ownedByTenant(transaction.schema.createTable("application_identifier_uris")))
    .addColumn("uri", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("application_identifier_uris_key", ["tenant_id", "uri"])
    .execute();
  await ownedByApplication(transaction.schema.createTable("application_secrets"))
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("display_name", "text", (column) => column.notNull())
    .addColumn("hint", "text", (column) => column.notNull())
    .addColumn("secret_sha256", bytesType(transaction), (column) => column.notNull())
    .addColumn("starts_at_ms", "bigint", (column) => column.notNull())
    .addColumn("ends_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await ownedByApplication(transaction.schema.createTable("application_certificates"))
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("display_name", "text", (column) => column.notNull())
    .addColumn("certificate_der", bytesType(transaction), (column) => column.notNull())
    .addColumn("starts_at_ms", "bigint", (column) => column.notNull())
    .addColumn("ends_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await ownedByApplication(ownedByTenant(transaction.schema.createTable("service_principals")))
    .addColumn("id", "text", (column) => column.primaryKey())
    .addUniqueConstraint("service_principals_by_application", ["application_id", "tenant_id"])
    .execute();
  for (const table of ["application_identifier_uris", "application_secrets", "application_certificates"]) {
    await transaction.schema.createIndex(`${table}_by_application`).on(table).column("application_id").execute();
  }
  await transaction.schema
    .createIndex("applications_by_tenant")
    .on("applications")
    .columns(["tenant_id", "display_name", "id"])
    .execute();
}

async function createUsers(transaction: Transaction<unknown>): Promise<void> {
  await ownedByTenant(transaction.schema.createTable("users"))
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("user_principal_name", "text", (column) => column.notNull())
    .addColumn("user_principal_name_lower", "text", (column) => column.notNull().unique())
    .addColumn("display_name", "text", (column) => column.notNull())
    .addColumn("given_name", "text")
    .addColumn("surname", "text")
    .addColumn("mail", "text")
    .addColumn("is_enabled", "integer", (column) => column.notNull())
    .addColumn("password_hash", "text")
    .addColumn("must_change_password", "integer", (column) => column.notNull())
    .addColumn("sessions_valid_from_ms", "bigint", (column) => column.notNull())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await transaction.schema
    .createIndex("users_by_tenant")
    .on("users")
    .columns(["tenant_id", "user_principal_name_lower"])
    .execute();
  await ownedByTenant(transaction.schema.createTable("directory_role_members"))
    .addColumn("principal_id", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("directory_role_members_key", ["principal_id", "tenant_id", "role"])
    .execute();
  await transaction.schema
    .createTable("sign_in_failures")
    .addColumn("name_sha256", bytesType(transaction), (column) => column.primaryKey())
    .addColumn("failures", "integer", (column) => column.notNull())
    .addColumn("locked_until_ms", "bigint", (column) => column.notNull())
    .addColumn("recent_tags", "text", (column) => column.notNull())
    .addColumn("updated_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await transaction.schema
    .createIndex("sign_in_failures_by_time")
    .on("sign_in_failures")
    .column("updated_at_ms")
    .execute();
}

async function createSigningKeys(transaction: Transaction<unknown>): Promise<void> {
  await transaction.schema
    .createTable("signing_keys")
    .addColumn("kid", "text", (column) => column.primaryKey())
    .addColumn("certificate_der", bytesType(transaction), (column) => column.notNull())
    .addColumn("private_key_sealed", bytesType(transaction), (column) => column.notNull())
    .addColumn("active_from_ms", "bigint", (column) => column.notNull())
    .addColumn("retired_at_ms", "bigint")
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .execute();
}

async function createRefreshTokens(transaction: Transaction<unknown>): Promise<void> {
  await ownedByTenant(transaction.schema.createTable("refresh_token_families"))
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("app_id", "text", (column) => column.notNull())
    .addColumn("authenticated_at_ms", "bigint", (column) => column.notNull())
    .addColumn("methods", "text", (column) => column.notNull())
    .addColumn("is_revoked", "integer", (column) => column.notNull())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await transaction.schema
    .createTable("refresh_tokens")
    .addColumn("token_sha256", bytesType(transaction), (column) => column.primaryKey())
    .addColumn("family_id", "text", (column) =>
      column.notNull().references("refresh_token_families.id").onDelete("cascade"),
    )
    .addColumn("resource", "text", (column) => column.notNull())
    .addColumn("scope", "text", (column) => column.notNull())
    .addColumn("issued_at_ms", "bigint", (column) => column.notNull())
    .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
    .addColumn("used_at_ms", "bigint")
    .execute();
  await transaction.schema
    .createIndex("refresh_token_families_by_user")
    .on("refresh_token_families")
    .column("user_id")
    .execute();
  await transaction.schema.createIndex("refresh_tokens_by_family").on("refresh_tokens").column("family_id").execute();
  await transaction.schema
    .createIndex("refresh_tokens_by_expiry")
    .on("refresh_tokens")
    .column("expires_at_ms")
    .execute();
}

async function createGroupsAndAssignments(transaction: Transaction<unknown>): Promise<void> {
  await ownedByTenant(transaction.schema.createTable("groups"))
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("display_name", "text", (column) => column.notNull())
    .addColumn("mail_nickname", "text", (column) => column.notNull())
    .addColumn("description", "text")
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await transaction.schema
    .createIndex("groups_by_tenant")
    .on("groups")
    .columns(["tenant_id", "display_name", "id"])
    .execute();
  await heldByPrincipal(transaction.schema.createTable("group_members"))
    .addColumn("group_id", "text", (column) => column.notNull().references("groups.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("group_members_key", ["group_id", "principal_id"])
    .execute();
  await heldByPrincipal(ownedByTenant(transaction.schema.createTable("app_role_assignments")))
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("app_role_id", "text", (column) => column.notNull())
    .addColumn("resource_app_id", "text", (column) => column.notNull())
    .addColumn("resource_application_id", "text", (column) => column.references("applications.id").onDelete("cascade"))
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .addUniqueConstraint("app_role_assignments_once", ["tenant_id", "principal_id", "resource_app_id", "app_role_id"])
    .execute();
  await ownedByTenant(transaction.schema.createTable("permission_grants"))
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("client_application_id", "text", (column) =>
      column.notNull().references("applications.id").onDelete("cascade"),
    )
    .addColumn("resource_app_id", "text", (column) => column.notNull())
    .addColumn("resource_application_id", "text", (column) => column.references("applications.id").onDelete("cascade"))
    .addColumn("consented_by", "text", (column) => column.notNull())
    .addColumn("user_id", "text", (column) => column.references("users.id").onDelete("cascade"))
    .addColumn("scope", "text", (column) => column.notNull())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .addUniqueConstraint("permission_grants_once", [
      "tenant_id",
      "client_application_id",
      "resource_app_id",
      "consented_by",
    ])
    .execute();
  for (const table of ["group_members", "app_role_assignments"]) {
    await transaction.schema.createIndex(`${table}_by_principal`).on(table).column("principal_id").execute();
  }
}

async function createRevokedTokens(transaction: Transaction<unknown>): Promise<void> {
  await transaction.schema
    .createTable("revoked_tokens")
    .addColumn("token_id", "text", (column) => column.primaryKey())
    .addColumn("revoked_at_ms", "bigint", (column) => column.notNull())
    .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
    .execute();
  for (const column of ["revoked_at_ms", "expires_at_ms"] as const) {
    await transaction.schema.createIndex(`revoked_tokens_${column}`).on("revoked_tokens").column(column).execute();
  }
}

async function createManagedIdentities(transaction: Transaction<unknown>): Promise<void> {
  await ownedByApplication(ownedByTenant(transaction.schema.createTable("managed_identities")))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("header_sha256", bytesType(transaction), (column) => column.notNull().unique())
    .addColumn("resources", "text", (column) => column.notNull())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("managed_identities_key", ["application_id"])
    .addUniqueConstraint("managed_identities_by_name", ["tenant_id", "name"])
    .execute();
}

async function createAudit(transaction: Transaction<unknown>): Promise<void> {
  // No reference to a tenant: what happened stays on record when those it happened to are gone.
  await transaction.schema
    .createTable("audit_events")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("at_ms", "bigint", (column) => column.notNull())
    .addColumn("tenant_id", "text")
    .addColumn("category", "text", (column) => column.notNull())
    .addColumn("activity", "text", (column) => column.notNull())
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("details", "text", (column) => column.notNull())
    .execute();
  await transaction.schema.createIndex("audit_events_by_time").on("audit_events").columns(["at_ms", "id"]).execute();
}

/**
 * A user, group or service principal, by one column for all and one for each kind, so that the database itself forgets
 * what a deleted principal held.
 */
function heldByPrincipal<Name extends string, Columns extends string>(
  table: CreateTableBuilder<Name, Columns>,
): CreateTableBuilder<Name, Columns | "principal_id" | "user_id" | "member_group_id" | "service_principal_id"> {
  return table
    .addColumn("principal_id", "text", (column) => column.notNull())
    .addColumn("user_id", "text", (column) => column.references("users.id").onDelete("cascade"))
    .addColumn("member_group_id", "text", (column) => column.references("groups.id").onDelete("cascade"))
    .addColumn("service_principal_id", "text", (column) =>
      column.references("service_principals.id").onDelete("cascade"),
    );
}

async function createSignIn(transaction: Transaction<unknown>): Promise<void> {
  await ownedByUser(ownedByTenant(transaction.schema.createTable("sessions")))
    .addColumn("id_sha256", bytesType(transaction), (column) => column.primaryKey())
    .addColumn("public_id", "text", (column) => column.notNull())
    .addColumn("methods", "text", (column) => column.notNull())
    .addColumn("authenticated_at_ms", "bigint", (column) => column.notNull())
    .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await ownedByUser(ownedByTenant(transaction.schema.createTable("authorization_codes")))
    .addColumn("code_sha256", bytesType(transaction), (column) => column.primaryKey())
    .addColumn("app_id", "text", (column) => column.notNull())
    .addColumn("redirect_uri", "text", (column) => column.notNull())
    .addColumn("is_redirect_uri_required", "integer", (column) => column.notNull())
    .addColumn("resource", "text")
    .addColumn("scope", "text", (column) => column.notNull())
    .addColumn("nonce", "text")
    .addColumn("code_challenge", "text")
    .addColumn("code_challenge_method", "text")
    .addColumn("methods", "text", (column) => column.notNull())
    .addColumn("authenticated_at_ms", "bigint", (column) => column.notNull())
    .addColumn("is_auth_time_asked", "integer", (column) => column.notNull())
    .addColumn("family_id", "text", (column) => column.notNull())
    .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
    .addColumn("redeemed_at_ms", "bigint")
    .execute();
  for (const table of ["sessions", "authorization_codes"]) {
    await transaction.schema.createIndex(`${table}_by_user`).on(table).column("user_id").execute();
    await transaction.schema.createIndex(`${table}_by_expiry`).on(table).column("expires_at_ms").execute();
  }
}

async function createDeviceCodes(transaction: Transaction<unknown>): Promise<void> {
  await transaction.schema
    .createTable("device_codes")
    .addColumn("device_code_sha256", bytesType(transaction), (column) => column.primaryKey())
    .addColumn("user_code", "text", (column) => column.notNull().unique())
    .addColumn("tenant_id", "text", (column) => column.references("tenants.id").onDelete("cascade"))
    .addColumn("app_id", "text", (column) => column.notNull())
    .addColumn("resource", "text")
    .addColumn("scope", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("user_id", "text", (column) => column.references("users.id").onDelete("cascade"))
    .addColumn("user_tenant_id", "text")
    .addColumn("methods", "text", (column) => column.notNull())
    .addColumn("authenticated_at_ms", "bigint", (column) => column.notNull())
    .addColumn("polled_at_ms", "bigint", (column) => column.notNull())
    .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await transaction.schema.createIndex("device_codes_by_expiry").on("device_codes").column("expires_at_ms").execute();
  // When all refresh tokens of a sign-in end, however often they were exchanged: those of single-page applications.
  await transaction.schema.alterTable("refresh_token_families").addColumn("ends_at_ms", "bigint").execute();
}

async function createSessionClients(transaction: Transaction<unknown>): Promise<void> {
  await transaction.schema
    .createTable("session_clients")
    .addColumn("session_sha256", bytesType(transaction), (column) =>
      column.notNull().references("sessions.id_sha256").onDelete("cascade"),
    )
    .addColumn("app_id", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("session_clients_key", ["session_sha256", "app_id"])
    .execute();
}

async function createFederatedCredentials(transaction: Transaction<unknown>): Promise<void> {
  await ownedByApplication(transaction.schema.createTable("federated_credentials"))
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("issuer", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("audiences", "text", (column) => column.notNull())
    .addColumn("description", "text", (column) => column.notNull())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .addUniqueConstraint("federated_credentials_by_name", ["application_id", "name"])
    .addUniqueConstraint("federated_credentials_by_subject", ["application_id", "issuer", "subject"])
    .execute();
}

async function rememberSessions(transaction: Transaction<unknown>): Promise<void> {
  for (const [table, column] of [
    ["authorization_codes", "session_id"],
    ["authorization_codes", "claims"],
    ["authorization_codes", "ip_address"],
    ["refresh_token_families", "session_id"],
    ["device_codes", "claims"],
  ] as const) {
    await transaction.schema.alterTable(table).addColumn(column, "text").execute();
  }
}

async function createTokenLifetimes(transaction: Transaction<unknown>): Promise<void> {
  await ownedByTenant(transaction.schema.createTable("token_lifetime_policies"))
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("display_name", "text", (column) => column.notNull())
    .addColumn("definition", "text", (column) => column.notNull())
    .addColumn("is_default", "integer", (column) => column.notNull())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await ownedByTenant(transaction.schema.createTable("token_lifetime_assignments"))
    .addColumn("target_id", "text", (column) => column.primaryKey())
    .addColumn("policy_id", "text", (column) =>
      column.notNull().references("token_lifetime_policies.id").onDelete("cascade"),
    )
    .addColumn("application_id", "text", (column) => column.references("applications.id").onDelete("cascade"))
    .addColumn("service_principal_id", "text", (column) =>
      column.references("service_principals.id").onDelete("cascade"),
    )
    .execute();
}

async function createLogoutDeliveries(transaction: Transaction<unknown>): Promise<void> {
  // No reference to the user: who was deleted is signed out as well.
  await ownedByTenant(transaction.schema.createTable("logout_deliveries"))
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("user_name", "text", (column) => column.notNull())
    .addColumn("app_id", "text", (column) => column.notNull())
    .addColumn("session_id", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("due_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await transaction.schema
    .createIndex("logout_deliveries_by_time")
    .on("logout_deliveries")
    .column("due_at_ms")
    .execute();
  await transaction.schema
    .createTable("used_assertions")
    .addColumn("assertion_sha256", bytesType(transaction), (column) => column.primaryKey())
    .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await transaction.schema
    .createIndex("used_assertions_by_expiry")
    .on("used_assertions")
    .column("expires_at_ms")
    .execute();
  await transaction.schema
    .alterTable("tenants")
    .addColumn("tolerates_line_breaks", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}

async function createSharedChanges(transaction: Transaction<unknown>): Promise<void> {
  await transaction.schema
    .createTable("shared_changes")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("changes", "bigint", (column) => column.notNull())
    .execute();
  const rows = transaction as Transaction<{ shared_changes: { id: number; changes: number } }>;
  await rows.insertInto("shared_changes").values({ id: 1, changes: 0 }).execute();
}

async function createFactors(transaction: Transaction<unknown>): Promise<void> {
  await ownedByUser(transaction.schema.createTable("user_factors"))
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("secret_sealed", bytesType(transaction), (column) => column.notNull())
    .addColumn("last_step", "bigint", (column) => column.notNull())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await transaction.schema.createIndex("user_factors_by_user").on("user_factors").column("user_id").execute();
  await transaction.schema
    .alterTable("tenants")
    .addColumn("requires_second_factor", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}

async function createFamiliarPlaces(transaction: Transaction<unknown>): Promise<void> {
  await transaction.schema
    .createTable("familiar_places")
    .addColumn("place_sha256", bytesType(transaction), (column) => column.primaryKey())
    .addColumn("seen_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await transaction.schema.createIndex("familiar_places_by_time").on("familiar_places").column("seen_at_ms").execute();
}

async function rememberPages(transaction: Transaction<unknown>): Promise<void> {
  await transaction.schema
    .alterTable("refresh_token_families")
    .addColumn("is_single_page", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}

/** What was signed in to before is taken for v2.0, which it was treated as. */
async function rememberVersions(transaction: Transaction<unknown>): Promise<void> {
  for (const table of ["session_clients", "logout_deliveries"]) {
    await transaction.schema
      .alterTable(table)
      .addColumn("token_version", "integer", (column) => column.notNull().defaultTo(2))
      .execute();
  }
}

function ownedByTenant<Name extends string, Columns extends string>(
  table: CreateTableBuilder<Name, Columns>,
): CreateTableBuilder<Name, Columns | "tenant_id"> {
  return table.addColumn("tenant_id", "text", (column) =>
    column.notNull().references("tenants.id").onDelete("cascade"),
  );
}

function ownedByApplication<Name extends string, Columns extends string>(
  table: CreateTableBuilder<Name, Columns>,
): CreateTableBuilder<Name, Columns | "application_id"> {
  return table.addColumn("application_id", "text", (column) =>
    column.notNull().references("applications.id").onDelete("cascade"),
  );
}

function ownedByUser<Name extends string, Columns extends string>(
  table: CreateTableBuilder<Name, Columns>,
): CreateTableBuilder<Name, Columns | "user_id"> {
  return table.addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"));
}
