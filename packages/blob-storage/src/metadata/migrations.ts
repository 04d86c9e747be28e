import { type Migration } from "@trefoil/database";
import { type CreateTableBuilder, sql, type Transaction } from "kysely";
import { addImmutableBlobs } from "../immutability/immutability-statements.ts";
import { addQuotas } from "../quotas/add-quotas.ts";
import { addRowChecksums } from "./row-checksums.ts";

/** The schema's steps since the first release; only ever appended to. The columns are explained in tables.ts. */
export const migrations: readonly Migration[] = [
  { name: "0001 objects", up: createTables },
  { name: "0002 tagged blobs and roles", up: addTaggedBlobsAndRoles },
  { name: "0003 soft delete", up: addSoftDelete },
  { name: "0004 verification", up: addVerification },
  { name: "0005 kept containers", up: addKeptContainers },
  { name: "0006 account settings", up: addAccountSettings },
  { name: "0007 checksums of rows", up: addRowChecksums },
  { name: "0008 quotas", up: addQuotas },
  { name: "0009 immutable blobs", up: addImmutableBlobs },
  { name: "0010 customer keys", up: addCustomerKeys },
  { name: "0011 encryption scopes", up: addEncryptionScopes },
];

/** Keys of accounts that blobs are encrypted with by name, and which of them a container's blobs have. */
async function addEncryptionScopes({ schema }: Transaction<unknown>): Promise<void> {
  await schema
    .createTable("encryption_scopes")
    .addColumn("account_id", "bigint", (column) => column.notNull().references("accounts.account_id"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("key", "bytea", (column) => column.notNull())
    .addColumn("created_ms", "bigint", (column) => column.notNull())
    .addColumn("disabled_ms", "bigint")
    .addPrimaryKeyConstraint("encryption_scopes_by_name", ["account_id", "name"])
    .execute();
  await schema.alterTable("containers").addColumn("default_encryption_scope", "text").execute();
  await schema
    .alterTable("containers")
    .addColumn("deny_encryption_scope_override", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.alterTable("uncommitted").addColumn("encryption_scope", "text").execute();
}

/** What is needed to read bytes that a client's own key encrypts, besides the key. */
async function addCustomerKeys({ schema }: Transaction<unknown>): Promise<void> {
  for (const table of ["pieces", "staged_blocks"]) {
    await schema.alterTable(table).addColumn("nonce", "bytea").execute();
  }
  await schema.alterTable("uncommitted").addColumn("customer_key_sha256", "text").execute();
}

async function addAccountSettings({ schema }: Transaction<unknown>): Promise<void> {
  await schema
    .alterTable("accounts")
    .addColumn("settings", "text", (column) => column.notNull().defaultTo("{}"))
    .execute();
}

/** Containers that were deleted and are kept for a while. */
async function addKeptContainers({ schema }: Transaction<unknown>): Promise<void> {
  await schema.alterTable("containers").addColumn("purge_ms", "bigint").execute();
}

/** When each extent was verified last; and ways from an extent to what uses it, and from a content to its blobs. */
async function addVerification({ schema }: Transaction<unknown>): Promise<void> {
  await schema
    .alterTable("extents")
    .addColumn("verified_ms", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.createIndex("extents_by_verification").on("extents").column("verified_ms").execute();
  for (const [name, table, column, present] of PARTIAL_INDEXES) {
    await schema.createIndex(name).on(table).column(column).where(sql.ref(present), "is not", null).execute();
  }
}

const PARTIAL_INDEXES = [
  ["damaged_extents", "extents", "extent_id", "damaged_ms"],
  ["pieces_by_extent", "pieces", "extent_id", "extent_id"],
  ["staged_blocks_by_extent", "staged_blocks", "extent_id", "extent_id"],
  ["blobs_by_content", "blobs", "content_id", "content_id"],
] as const;

/** Blobs that were deleted and are kept for a while; and which of them come first to be removed. */
async function addSoftDelete({ schema }: Transaction<unknown>): Promise<void> {
  await schema.alterTable("blobs").addColumn("purge_ms", "bigint").execute();
  await schema
    .createIndex("blobs_to_purge")
    .on("blobs")
    .column("purge_ms")
    .where(sql.ref("purge_ms"), "is not", null)
    .execute();
}

/** An index over the blobs that have tags, so that a search doesn't read all others; and who may do what. */
async function addTaggedBlobsAndRoles({ schema }: Transaction<unknown>): Promise<void> {
  await schema
    .createIndex("blobs_with_tags")
    .on("blobs")
    .columns(["container_id", "name"])
    .where(sql.ref("tags"), "is not", null)
    .execute();
  await schema
    .createTable("role_assignments")
    .addColumn("account_id", "bigint", (column) => column.notNull().references("accounts.account_id"))
    .addColumn("principal", "text", (column) => column.notNull())
    .addColumn("container", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("assigned_ms", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("role_assignments_by_principal", ["account_id", "principal", "container", "role"])
    .execute();
}

async function createTables(transaction: Transaction<unknown>): Promise<void> {
  const { schema } = transaction;
  await schema
    .createTable("accounts")
    .addColumn("account_id", "bigint", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull().unique())
    .addColumn("key_1", "bytea", (column) => column.notNull())
    .addColumn("key_2", "bytea", (column) => column.notNull())
    .addColumn("created_ms", "bigint", (column) => column.notNull())
    .addColumn("properties", "text", (column) => column.notNull())
    .execute();
  await withLease(
    schema
      .createTable("containers")
      .addColumn("container_id", "bigint", (column) => column.primaryKey())
      .addColumn("account_id", "bigint", (column) => column.notNull().references("accounts.account_id"))
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("version", "text", (column) => column.notNull())
      .addColumn("deleted_ms", "bigint")
      .addColumn("etag", "text", (column) => column.notNull())
      .addColumn("last_modified_ms", "bigint", (column) => column.notNull())
      .addColumn("public_access", "text")
      .addColumn("metadata", "text", (column) => column.notNull())
      .addColumn("policies", "text", (column) => column.notNull()),
  )
    .addUniqueConstraint("containers_by_name", ["account_id", "name", "version"])
    .execute();
  await withLease(
    schema
      .createTable("blobs")
      .addColumn("container_id", "bigint", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("moment", "text", (column) => column.notNull())
      .addColumn("version_id", "text")
      .addColumn("deleted_ms", "bigint")
      .addColumn("type", "text", (column) => column.notNull())
      .addColumn("length", "bigint", (column) => column.notNull())
      .addColumn("etag", "text", (column) => column.notNull())
      .addColumn("last_modified_ms", "bigint", (column) => column.notNull())
      .addColumn("created_ms", "bigint", (column) => column.notNull())
      .addColumn("content_headers", "text", (column) => column.notNull())
      .addColumn("metadata", "text", (column) => column.notNull())
      .addColumn("tags", "text")
      .addColumn("extras", "text", (column) => column.notNull()),
  )
    .addColumn("content_id", "bigint")
    // Last, so that what a listing reads lies before the bytes.
    .addColumn("inline_content", "bytea")
    .addPrimaryKeyConstraint("blobs_by_name", ["container_id", "name", "moment"])
    .execute();
  await createContentTables(transaction);
}

async function createContentTables({ schema }: Transaction<unknown>): Promise<void> {
  await schema
    .createTable("contents")
    .addColumn("content_id", "bigint", (column) => column.primaryKey())
    .addColumn("uses", "integer", (column) => column.notNull())
    .execute();
  await schema
    .createTable("pieces")
    .addColumn("content_id", "bigint", (column) => column.notNull())
    .addColumn("start", "bigint", (column) => column.notNull())
    .addColumn("length", "bigint", (column) => column.notNull())
    .addColumn("extent_id", "text")
    .addColumn("extent_offset", "bigint", (column) => column.notNull())
    .addColumn("block_id", "text")
    .addColumn("inline_content", "bytea")
    .addPrimaryKeyConstraint("pieces_by_start", ["content_id", "start"])
    .execute();
  await schema
    .createTable("extents")
    .addColumn("extent_id", "text", (column) => column.primaryKey())
    .addColumn("size", "bigint", (column) => column.notNull())
    .addColumn("uses", "integer", (column) => column.notNull())
    .addColumn("damaged_ms", "bigint")
    .execute();
  await schema
    .createTable("garbage_contents")
    .addColumn("content_id", "bigint", (column) => column.primaryKey())
    .execute();
  await schema
    .createTable("garbage_extents")
    .addColumn("extent_id", "text", (column) => column.primaryKey())
    .execute();
  await schema
    .createTable("uncommitted")
    .addColumn("container_id", "bigint", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("blocks", "integer", (column) => column.notNull())
    .addColumn("id_length", "integer", (column) => column.notNull())
    .addColumn("staged_ms", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("uncommitted_by_name", ["container_id", "name"])
    .execute();
  await schema
    .createTable("staged_blocks")
    .addColumn("container_id", "bigint", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("block_id", "text", (column) => column.notNull())
    .addColumn("length", "bigint", (column) => column.notNull())
    .addColumn("extent_id", "text")
    .addColumn("inline_content", "bytea")
    .addPrimaryKeyConstraint("staged_blocks_by_id", ["container_id", "name", "block_id"])
    .execute();
}

function withLease<Table extends string, Columns extends string>(
  table: CreateTableBuilder<Table, Columns>,
): CreateTableBuilder<Table, Columns | "lease_id"> {
  return table
    .addColumn("lease_id", "text")
    .addColumn("lease_duration_seconds", "integer")
    .addColumn("lease_expires_ms", "bigint")
    .addColumn("lease_breaks_ms", "bigint");
}
