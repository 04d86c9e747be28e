import { type ColumnRole } from "./csv-header.ts";
import { type CsvScanner } from "./csv-scanner.ts";
import { type IdSpace } from "./id-space.ts";
import { ImportError } from "./import-error.ts";
import { errorAt, type IdSpaces, type ImportTarget, type RowImport, textsOf } from "./import-rows.ts";
import { PropertyCells } from "./property-cells.ts";
import { type RelationshipBatch } from "./relationship-batch.ts";

/** The rows of a file of relationships. */
export class RelationshipImport implements RowImport {
  readonly #target: ImportTarget;
  readonly #file: string;
  readonly #header: readonly ColumnRole[];
  readonly #cells: PropertyCells;
  readonly #batch: RelationshipBatch;
  readonly #startField: number;
  readonly #starts: IdSpace;
  readonly #endField: number;
  readonly #ends: IdSpace;
  readonly #typeField: number;
  readonly #everyType: string | undefined;
  /** The type of the last row, as it was written: mostly that of the next one. */
  #lastWritten: Uint8Array = new Uint8Array();
  #lastType = -1;

  constructor(
    target: ImportTarget,
    file: string,
    header: readonly ColumnRole[],
    spaces: IdSpaces,
    type: string | undefined,
    batch: RelationshipBatch,
  ) {
    const { tokens, base } = target;
    this.#target = target;
    this.#file = file;
    this.#header = header;
    this.#cells = new PropertyCells(base.relationshipProperties, header, (name) => tokens.propertyKeys.idOf(name));
    this.#batch = batch;
    this.#startField = header.findIndex((role) => role.kind === "start");
    this.#starts = spaces.of(spaceOf(header[this.#startField]));
    this.#endField = header.findIndex((role) => role.kind === "end");
    this.#ends = spaces.of(spaceOf(header[this.#endField]));
    this.#typeField = header.findIndex((role) => role.kind === "type");
    this.#everyType = type;
  }

  expect(rows: number): void {
    const { base, relationshipIds } = this.#target;
    const idLimit = relationshipIds.limit + rows;
    base.relationships.reserve(idLimit);
    base.relationshipProperties.expect(idLimit);
    this.#batch.expect(rows);
  }

  add(row: CsvScanner): void {
    const start = this.#node(row, this.#startField, this.#starts);
    const end = this.#node(row, this.#endField, this.#ends);
    const wrong = this.#cells.read(row);
    if (wrong >= 0) {
      throw errorAt(this.#file, row, this.#header, wrong, "The value does not fit the type of the column.");
    }
    const type = this.#type(row);
    const { base, relationshipIds } = this.#target;
    const relationship = relationshipIds.allocate();
    base.relationships.create(relationship, start, type, end);
    this.#cells.write(row, relationship);
    this.#batch.add(relationship);
  }

  #node(row: CsvScanner, field: number, ids: IdSpace): number {
    const byNumber = ids.findNumber(row.integer(field));
    const node = byNumber >= 0 ? byNumber : ids.find(row.text(field));
    if (node < 0) {
      throw errorAt(this.#file, row, this.#header, field, "No node has this id.");
    }
    return node;
  }

  #type(row: CsvScanner): number {
    const field = this.#typeField;
    const isPlain = field >= 0 && row.isVerbatim(field) && !row.isMissing(field);
    if (isPlain && this.#lastType >= 0 && row.is(field, this.#lastWritten)) {
      return this.#lastType;
    }
    const name = field < 0 || row.isMissing(field) ? this.#everyType : row.text(field);
    if (name === undefined || name === "") {
      throw new ImportError(
        { file: this.#file, line: row.line, column: 1, value: textsOf(row).join(",") },
        "The relationship has no type: a column ':TYPE' is missing or empty.",
      );
    }
    const type = this.#target.tokens.relationshipTypes.idOf(name);
    if (isPlain) {
      this.#lastWritten = row.written(field);
      this.#lastType = type;
    }
    return type;
  }
}

function spaceOf(role: ColumnRole | undefined): string {
  return role?.kind === "start" || role?.kind === "end" ? role.space : "";
}
