import Papa from "papaparse";
import { type ColumnPlan } from "./import-plan.ts";
import { guessType } from "./column-types.ts";

export interface CsvPreview {
  readonly columns: readonly ColumnPlan[];
  readonly rows: readonly (readonly string[])[];
  readonly delimiter: string;
}

const PREVIEWED_ROWS = 50;

/** The head of a file: what its columns seem to be, and its first rows. */
export function previewCsv(file: File): Promise<CsvPreview> {
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(file, {
      preview: PREVIEWED_ROWS + 1,
      skipEmptyLines: true,
      complete: ({ data: [header = [], ...rows], meta }) =>
        resolve({ columns: columnsOf(header, rows), rows, delimiter: meta.delimiter }),
      error: reject,
    });
  });
}

function columnsOf(header: readonly string[], rows: readonly (readonly string[])[]): readonly ColumnPlan[] {
  return header.map((name, index) => ({
    header: name,
    property: name.trim() === "" ? `column${index + 1}` : name.trim(),
    type: guessType(rows.map((row) => row[index] ?? "")),
    isUsed: true,
  }));
}

/**
 * Reads a file piece by piece, so that its size does not matter: `onRows` gets batches in order and is waited for.
 * `share` is how much of the file has been read, from 0 to 1.
 */
export function readCsv(
  file: File,
  batchSize: number,
  onRows: (rows: readonly (readonly string[])[], share: number) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isHeader = true;
    let waiting: (readonly string[])[] = [];
    const flush = async (least: number, share: number): Promise<void> => {
      while (waiting.length >= least && waiting.length > 0) {
        const batch = waiting.slice(0, batchSize);
        waiting = waiting.slice(batchSize);
        signal.throwIfAborted();
        await onRows(batch, share);
      }
    };
    Papa.parse<string[]>(file, {
      skipEmptyLines: true,
      chunkSize: 512 * 1024,
      chunk: ({ data, meta }, parser) => {
        waiting.push(...(isHeader ? data.slice(1) : data));
        isHeader = false;
        parser.pause();
        flush(batchSize, Math.min(1, meta.cursor / Math.max(1, file.size))).then(
          () => parser.resume(),
          (error: unknown) => {
            parser.abort();
            reject(error instanceof Error ? error : new Error(String(error)));
          },
        );
      },
      complete: () => flush(1, 1).then(resolve, reject),
      error: reject,
    });
  });
}
