import { type Tokens } from "../tables/token-table.ts";
import { type GraphBase } from "../tables/graph-base.ts";
import { type IdAllocator } from "../transactions/id-allocator.ts";
import { type ColumnRole } from "./csv-header.ts";
import { type CsvRow, type CsvScanner } from "./csv-scanner.ts";
import { IdSpace } from "./id-space.ts";
import { ImportError } from "./import-error.ts";

/** What an import fills: nobody else may use it meanwhile. */
export interface ImportTarget {
  readonly base: GraphBase;
  readonly tokens: Tokens;
  readonly nodeIds: IdAllocator;
  readonly relationshipIds: IdAllocator;
}

/** Takes in the rows of one file. */
export interface RowImport {
  /** @throws ImportError  when it cannot; then nothing of the row is in the graph */
  add(row: CsvScanner): void;
  /** So many rows are expected in all. */
  expect(rows: number): void;
}

/** The ids of the node files, apart by their spaces. */
export class IdSpaces {
  readonly #spaces = new Map<string, IdSpace>();

  of(name: string): IdSpace {
    let ids = this.#spaces.get(name);
    if (ids === undefined) {
      ids = new IdSpace();
      this.#spaces.set(name, ids);
    }
    return ids;
  }
}

/** An error at one field of a row. */
export function errorAt(
  file: string,
  row: CsvRow,
  header: readonly ColumnRole[],
  field: number,
  problem: string,
): ImportError {
  const role = header[field];
  const columnName = role !== undefined && "name" in role && role.name !== "" ? role.name : role?.kind;
  return new ImportError({ file, line: row.line, column: field + 1, columnName, value: row.text(field) }, problem);
}

export function textsOf(row: CsvRow): readonly string[] {
  return Array.from({ length: row.fieldCount }, (_unused, field) => row.text(field));
}
