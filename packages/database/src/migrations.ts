import { type Clock, StartError } from "@trefoil/base";
import { type Kysely, sql, type Transaction } from "kysely";

/** One step of the schema. `name` identifies it for ever; `up` uses only SQL that SQLite and PostgreSQL share. */
export interface Migration {
  readonly name: string;
  up(transaction: Transaction<unknown>): Promise<void>;
}

interface AppliedMigration {
  readonly position: number;
  readonly name: string;
  readonly applied_at_ms: number;
}

interface MigrationTables {
  readonly schema_migrations: AppliedMigration;
}

/**
 * Runs the migrations that the database doesn't have yet, all of them in one transaction.
 *
 * @throws StartError `store` when the database has steps that this program doesn't know: it was written by a newer
 *         release or by something else, and is left as it is
 */
export async function migrate(
  anyDatabase: Kysely<unknown> | object,
  migrations: readonly Migration[],
  clock: Clock,
): Promise<void> {
  const database = anyDatabase as Kysely<MigrationTables>;
  await database.transaction().execute(async (transaction) => {
    await waitForOthers(transaction);
    await refuseForeignDatabase(transaction);
    await createHistory(transaction);
    const applied = await transaction.selectFrom("schema_migrations").selectAll().orderBy("position").execute();
    refuseUnknownHistory(applied, migrations);
    for (const [position, migration] of migrations.entries()) {
      if (position >= applied.length) {
        await migration.up(transaction as unknown as Transaction<unknown>);
        const row = { position, name: migration.name, applied_at_ms: clock.now() };
        await transaction.insertInto("schema_migrations").values(row).execute();
      }
    }
  });
}

/** Processes that start at once on one PostgreSQL server migrate one after the other; SQLite has one writer anyway. */
async function waitForOthers(transaction: Transaction<MigrationTables>): Promise<void> {
  const lock = { lockTable: "", lockRowId: "" };
  await transaction.getExecutor().adapter.acquireMigrationLock(transaction as unknown as Kysely<unknown>, lock);
}

async function createHistory(transaction: Transaction<MigrationTables>): Promise<void> {
  await transaction.schema
    .createTable("schema_migrations")
    .ifNotExists()
    .addColumn("position", "integer", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull().unique())
    .addColumn("applied_at_ms", "bigint", (column) => column.notNull())
    .execute();
}

/** Tables without our history belong to another program: nothing is created among them. */
async function refuseForeignDatabase(transaction: Transaction<MigrationTables>): Promise<void> {
  const tables = await transaction.introspection.getTables();
  const names = tables.map((table) => table.name);
  if (names.length > 0 && !names.includes("schema_migrations")) {
    throw new StartError("store", `The database was not made by this program: it holds the table ${names[0]}`);
  }
  // Reads the first page of an empty database as well, so that a damaged file is found here.
  await sql`select 1`.execute(transaction);
}

function refuseUnknownHistory(applied: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  for (const [position, step] of applied.entries()) {
    const known = migrations[position];
    if (known === undefined) {
      throw new StartError(
        "store",
        `The database was written by a newer release: it has the schema step "${step.name}", which this one lacks`,
      );
    }
    if (known.name !== step.name) {
      throw new StartError(
        "store",
        `The database has another history: its schema step ${position} is "${step.name}", expected "${known.name}"`,
      );
    }
  }
}
