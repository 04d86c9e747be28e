import { sql, type Transaction } from "kysely";
import { rowBytes } from "../contents/row-bytes.ts";

const TABLES = [
  ["blobs", ["container_id", "name", "moment"]],
  ["pieces", ["content_id", "start"]],
  ["staged_blocks", ["container_id", "name", "block_id"]],
] as const;

/** Rows changed at once: the migration's memory does not grow with the store. */
const PAGE = 200;

type Row = Readonly<Record<string, unknown>> & { readonly inline_content: Uint8Array };

/** Gives the bytes that rows hold their checksum; see row-bytes.ts. */
export async function addRowChecksums(transaction: Transaction<unknown>): Promise<void> {
  for (const [table, key] of TABLES) {
    let last: readonly unknown[] | undefined;
    for (;;) {
      const rows: readonly Row[] = await nextRows(transaction, table, key, last);
      for (const row of rows) {
        const values = key.map((column) => row[column]);
        const stored = rowBytes(row.inline_content);
        await sql`update ${sql.table(table)} set inline_content = ${stored} where ${tuple(key)} = ${valuesOf(values)}`.execute(
          transaction,
        );
        last = values;
      }
      if (rows.length < PAGE) {
        break;
      }
    }
  }
}

async function nextRows(
  transaction: Transaction<unknown>,
  table: string,
  key: readonly string[],
  after: readonly unknown[] | undefined,
): Promise<readonly Row[]> {
  const behind = after === undefined ? sql`` : sql`and ${tuple(key)} > ${valuesOf(after)}`;
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const { rows } = await sql<Row>`select ${columns}, inline_content from ${sql.table(table)}
    where inline_content is not null ${behind} order by ${columns} limit ${PAGE}`.execute(transaction);
  return rows;
}

function tuple(columns: readonly string[]): ReturnType<typeof sql> {
  return sql`(${sql.join(columns.map((column) => sql.ref(column)))})`;
}

function valuesOf(values: readonly unknown[]): ReturnType<typeof sql> {
  return sql`(${sql.join(values)})`;
}
