import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { type ColumnRole, readHeader } from "./csv-header.ts";
import { CsvScanner } from "./csv-scanner.ts";
import { ImportError } from "./import-error.ts";
import { NodeImport } from "./import-nodes.ts";
import { RelationshipImport } from "./import-relationships.ts";
import { IdSpaces, type ImportTarget, type RowImport, textsOf } from "./import-rows.ts";
import { RelationshipBatch } from "./relationship-batch.ts";

export { type ImportTarget } from "./import-rows.ts";

export interface ImportOptions {
  readonly nodeFiles: readonly string[];
  readonly relationshipFiles: readonly string[];
  /** One character; "," when not said. */
  readonly delimiter?: string | undefined;
  /** Labels that every node gets besides those of its line. */
  readonly labels?: readonly string[] | undefined;
  /** The type of relationships whose file has no column for it. */
  readonly type?: string | undefined;
  /** Leaves out lines that cannot be taken in instead of stopping; they are counted in the report. */
  readonly skipBadLines?: boolean | undefined;
  /** Called about every megabyte read. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

export interface ImportProgress {
  readonly phase: "nodes" | "relationships" | "saving";
  readonly bytesRead: number;
  readonly bytesTotal: number;
  readonly nodes: number;
  readonly relationships: number;
}

export interface ImportReport {
  readonly nodes: number;
  readonly relationships: number;
  readonly badLines: number;
  /** The first thousand of them. */
  readonly badLineErrors: readonly ImportError[];
}

const CHUNK_BYTES = 1 << 20;
const MOST_ERRORS_KEPT = 1000;
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/**
 * Reads the files straight into the arrays of a store: nodes first, then relationships, whose ends are the ids of the
 * node files. Nothing is logged; the caller keeps the result with a checkpoint, or throws it away after an error.
 *
 * @throws ImportError  for the first bad line, unless they are skipped
 */
export async function importCsv(target: ImportTarget, options: ImportOptions): Promise<ImportReport> {
  return new CsvImport(target, options).run();
}

class CsvImport {
  readonly #target: ImportTarget;
  readonly #options: ImportOptions;
  readonly #spaces = new IdSpaces();
  readonly #relationships = new RelationshipBatch();
  readonly #nodesBefore: number;
  readonly #errors: ImportError[] = [];
  #badLines = 0;
  #bytesRead = 0;
  #bytesTotal = 0;

  constructor(target: ImportTarget, options: ImportOptions) {
    this.#target = target;
    this.#options = options;
    this.#nodesBefore = target.base.nodes.count;
  }

  async run(): Promise<ImportReport> {
    const { nodeFiles, relationshipFiles, labels = [], type } = this.#options;
    const sizes = await Promise.all([...nodeFiles, ...relationshipFiles].map(async (file) => (await stat(file)).size));
    this.#bytesTotal = sizes.reduce((sum, size) => sum + size, 0);
    for (const file of nodeFiles) {
      await this.#read(file, "nodes", (header) => new NodeImport(this.#target, file, header, this.#spaces, labels));
    }
    for (const file of relationshipFiles) {
      await this.#read(
        file,
        "relationships",
        (header) => new RelationshipImport(this.#target, file, header, this.#spaces, type, this.#relationships),
      );
    }
    this.#report("saving");
    this.#relationships.addTo(this.#target.base);
    return {
      nodes: this.#nodes,
      relationships: this.#relationships.length,
      badLines: this.#badLines,
      badLineErrors: this.#errors,
    };
  }

  get #nodes(): number {
    return this.#target.base.nodes.count - this.#nodesBefore;
  }

  async #read(
    file: string,
    phase: "nodes" | "relationships",
    importOf: (header: readonly ColumnRole[]) => RowImport,
  ): Promise<void> {
    const scanner = new CsvScanner(file, this.#options.delimiter ?? ",");
    const { size } = await stat(file);
    let header: readonly ColumnRole[] | undefined;
    let rowImport: RowImport | undefined;
    let bytesRead = 0;
    const takeRows = (): void => {
      if (header === undefined && scanner.next()) {
        header = readHeader({ line: scanner.line, fields: textsOf(scanner) }, file, phase);
        rowImport = importOf(header);
      }
      if (header !== undefined && rowImport !== undefined) {
        this.#takeRows(scanner, header.length, rowImport, file);
      }
    };
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
      const bytes = chunk as Buffer;
      const hasMark = bytesRead === 0 && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
      scanner.feed(hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes);
      takeRows();
      if (bytesRead === 0) {
        // A little more than it looks like, so that tables grow once.
        rowImport?.expect(Math.ceil((scanner.line / bytes.length) * size * 1.02));
      }
      bytesRead += bytes.length;
      this.#bytesRead += bytes.length;
      this.#report(phase);
    }
    scanner.end();
    takeRows();
    this.#report(phase);
  }

  #takeRows(scanner: CsvScanner, fieldCount: number, rowImport: RowImport, file: string): void {
    for (;;) {
      try {
        if (!scanner.next()) {
          return;
        }
        if (scanner.fieldCount !== fieldCount) {
          const [column, value] = [scanner.fieldCount, scanner.text(scanner.fieldCount - 1)];
          const place = { file, line: scanner.line, column, value };
          throw new ImportError(place, `The line has ${column} fields, the header ${fieldCount}.`);
        }
        rowImport.add(scanner);
      } catch (error) {
        this.#skip(error);
      }
    }
  }

  /** Notes a bad line, or ends the import when lines must not be left out. */
  #skip(error: unknown): void {
    if (this.#options.skipBadLines !== true || !(error instanceof ImportError) || error.isFinal) {
      throw error;
    }
    this.#badLines += 1;
    if (this.#errors.length < MOST_ERRORS_KEPT) {
      this.#errors.push(error);
    }
  }

  #report(phase: ImportProgress["phase"]): void {
    this.#options.onProgress?.({
      phase,
      bytesRead: this.#bytesRead,
      bytesTotal: this.#bytesTotal,
      nodes: this.#nodes,
      relationships: this.#relationships.length,
    });
  }
}
