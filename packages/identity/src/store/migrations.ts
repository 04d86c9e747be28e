import { bytesType, type Migration } from "@trefoil/database";
import { type CreateTableBuilder, type Transaction } from "kysely";

/** The schema's history, oldest first: steps are appended and never edited. */
export const identityMigrations: readonly Migration[] = [
  { name: "0001-tenants", up: createTenants },
  { name: "0002-applications", up: createApplications },
  { name: "0003-users", up: createUsers },
  { name: "0004-signing-keys", up: createSigningKeys },
  { name: "0005-refresh-tokens", up: createRefreshTokens },
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
