import { type PropertyTable } from "../columns/property-table.ts";
import { type PropertyValue } from "../values/property-value.ts";
import { type ColumnRole } from "./csv-header.ts";
import { type CsvScanner } from "./csv-scanner.ts";

type PropertyRole = Extract<ColumnRole, { kind: "property" }>;

/** A column of a file whose cells are values of one property. */
interface Cells {
  readonly field: number;
  readonly key: number;
  readonly role: PropertyRole;
}

/**
 * The property cells of a row: read and judged as a whole, then written, so that a bad line leaves nothing behind.
 * Numbers and texts go from the bytes of the file into their column without becoming values in between.
 */
export class PropertyCells {
  readonly #table: PropertyTable;
  readonly #cells: readonly Cells[];
  /** By cell: a number written the usual way, else NaN and a value, `undefined` where there is none. */
  readonly #numbers: Float64Array;
  readonly #values: (PropertyValue | typeof VERBATIM | undefined)[];
  /** The set of keys that a row has, by the bits of its cells that are there. */
  readonly #keySets = new Map<number, number>();

  constructor(table: PropertyTable, header: readonly ColumnRole[], keyOf: (name: string) => number) {
    this.#table = table;
    this.#cells = header.flatMap((role, field) =>
      role.kind === "property" ? [{ field, key: keyOf(role.name), role }] : [],
    );
    this.#numbers = new Float64Array(this.#cells.length);
    this.#values = this.#cells.map(() => undefined);
  }

  /** @returns  the first field whose text does not fit its column, -1 when all do */
  read(row: CsvScanner): number {
    for (let index = 0; index < this.#cells.length; index++) {
      const { field, role } = this.#cells[index] as Cells;
      this.#numbers[index] = Number.NaN;
      this.#values[index] = undefined;
      if (row.isMissing(field)) {
        continue;
      }
      const number = role.takesIntegers ? row.integer(field) : Number.NaN;
      if (!Number.isNaN(number)) {
        this.#numbers[index] = number;
      } else if (role.isText && row.isVerbatim(field)) {
        this.#values[index] = VERBATIM;
      } else {
        const value = role.read(row.text(field));
        if (value === undefined) {
          return field;
        }
        this.#values[index] = value;
      }
    }
    return -1;
  }

  /** Gives a new entity what {@link PropertyCells.read} found. */
  write(row: CsvScanner, entity: number): void {
    let present = 0;
    for (let index = 0; index < this.#cells.length; index++) {
      const { field, key } = this.#cells[index] as Cells;
      const number = this.#numbers[index] as number;
      const value = this.#values[index];
      if (!Number.isNaN(number)) {
        this.#table.columnFor(key, number).set(entity, number);
      } else if (value === VERBATIM) {
        this.#writeText(row, field, entity, key);
      } else if (value !== undefined) {
        this.#table.columnFor(key, value).set(entity, value);
      } else {
        continue;
      }
      // Bits as a sum: there may be more than 32 cells. Beyond 2^53 sets are looked up one by one.
      present += 2 ** index;
    }
    this.#table.haveKeys(entity, this.#keySetOf(present));
  }

  #writeText(row: CsvScanner, field: number, entity: number, key: number): void {
    const column = this.#table.columnFor(key, "");
    if (!column.setAscii(entity, row.bytes, row.startOf(field), row.endOf(field))) {
      column.set(entity, row.text(field));
    }
  }

  #keySetOf(present: number): number {
    const known = this.#keySets.get(present);
    if (known !== undefined && this.#cells.length <= 53) {
      return known;
    }
    const keys = this.#cells.filter(
      (_cell, index) => !Number.isNaN(this.#numbers[index] as number) || this.#values[index] !== undefined,
    );
    const set = this.#table.keySetOf(keys.map(({ key }) => key));
    this.#keySets.set(present, set);
    return set;
  }
}

/** The bytes of the field are the value. */
const VERBATIM: unique symbol = Symbol("verbatim");
