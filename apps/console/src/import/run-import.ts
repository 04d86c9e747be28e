import { runStatement } from "../server/run-statement.ts";
import { type GraphServer } from "../server/graph-server.ts";
import { batchJson, type ImportPlan, importStatement } from "./import-plan.ts";
import { readCsv } from "./read-csv.ts";

const ROWS_PER_BATCH = 1000;

export interface ImportProgress {
  readonly rows: number;
  /** Of the file, from 0 to 1. */
  readonly share: number;
  readonly nodes: number;
  readonly relationships: number;
}

/**
 * Sends a file in batches, each a transaction of its own.
 *
 * @throws Error with the server's message; what earlier batches wrote stays. `AbortError` when it was cancelled
 */
export async function runImport(
  server: GraphServer,
  file: File,
  plan: ImportPlan,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<ImportProgress> {
  const statement = importStatement(plan);
  let progress: ImportProgress = { rows: 0, share: 0, nodes: 0, relationships: 0 };
  await readCsv(
    file,
    ROWS_PER_BATCH,
    async (rows, share) => {
      const parameters = new Map([["rows", batchJson(plan, rows)]]);
      const answer = await runStatement(server, { statement, parameters, signal });
      const [error] = answer.errors;
      if (error !== undefined) {
        throw new Error(`${error.message} (after ${progress.rows} rows)`);
      }
      progress = {
        rows: progress.rows + rows.length,
        share,
        nodes: progress.nodes + (answer.stats.get("nodes_created") ?? 0),
        relationships: progress.relationships + (answer.stats.get("relationships_created") ?? 0),
      };
      onProgress(progress);
    },
    signal,
  );
  return progress;
}
