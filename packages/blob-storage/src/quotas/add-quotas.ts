import { sql, type Transaction } from "kysely";

/** What the limit's trigger says; SQLite hands it on as the message of the error. */
export const QUOTA_REACHED = "quota of an account";

/** Tables whose rows lie in a container; each row counts `length` bytes. */
const COUNTED = ["blobs", "staged_blocks"] as const;

/**
 * Quotas, and the triggers that count what accounts with one keep. Triggers, because rows come and go in many commands:
 * none of them can forget to count, and without any quota each costs a look at an empty table (decisions/0185).
 */
export async function addQuotas(transaction: Transaction<unknown>): Promise<void> {
  await transaction.schema
    .createTable("account_quotas")
    .addColumn("account_id", "bigint", (column) => column.primaryKey().references("accounts.account_id"))
    .addColumn("quota_bytes", "bigint", (column) => column.notNull())
    .addColumn("used_bytes", "bigint", (column) => column.notNull())
    .execute();
  for (const table of COUNTED) {
    await addTrigger(transaction, table, { suffix: "kept", event: "INSERT", row: "NEW", change: "NEW.length" });
    await addTrigger(transaction, table, { suffix: "released", event: "DELETE", row: "OLD", change: "-OLD.length" });
  }
  // Pages and appended blocks change a blob where it is; staged blocks are replaced whole.
  await addTrigger(transaction, "blobs", {
    suffix: "resized",
    event: "UPDATE OF length",
    row: "NEW",
    change: "NEW.length - OLD.length",
  });
  // Only growth is refused: what is over a quota that was lowered can still be deleted.
  await sql`CREATE TRIGGER account_quotas_limit BEFORE UPDATE OF used_bytes ON account_quotas
    WHEN NEW.used_bytes > OLD.used_bytes AND NEW.used_bytes > NEW.quota_bytes
    BEGIN SELECT RAISE(ABORT, ${sql.lit(QUOTA_REACHED)}); END`.execute(transaction);
}

interface CountingTrigger {
  readonly suffix: string;
  readonly event: string;
  readonly row: "NEW" | "OLD";
  readonly change: string;
}

async function addTrigger(
  transaction: Transaction<unknown>,
  table: (typeof COUNTED)[number],
  { suffix, event, row, change }: CountingTrigger,
): Promise<void> {
  const rowOf = sql.raw(row);
  await sql`CREATE TRIGGER ${sql.raw(`${table}_${suffix}`)} AFTER ${sql.raw(event)} ON ${sql.table(table)}
    WHEN EXISTS (SELECT 1 FROM account_quotas)
    BEGIN
      UPDATE account_quotas SET used_bytes = used_bytes + (${sql.raw(change)})
      WHERE account_id = (SELECT account_id FROM containers WHERE container_id = ${rowOf}.container_id);
    END`.execute(transaction);
}
