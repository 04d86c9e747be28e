import { RequestError } from "@trefoil/base";

/** Where in which file: lines and columns are counted from 1, a column is a field. */
export interface ImportPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The name of the column, once the header is read. */
  readonly columnName?: string | undefined;
  readonly value: string;
}

/** A line of an import file that cannot be taken in. */
export class ImportError extends RequestError<"ClientError.Statement.InvalidArguments"> {
  override readonly name = "ImportError";
  readonly place: ImportPlace;
  /** Whether nothing that follows in the file can be read: such a line cannot be left out. */
  readonly isFinal: boolean;

  constructor(place: ImportPlace, problem: string, { isFinal = false }: { readonly isFinal?: boolean } = {}) {
    const column = place.columnName === undefined ? `${place.column}` : `${place.column} (${place.columnName})`;
    super(
      "ClientError.Statement.InvalidArguments",
      `${place.file}, line ${place.line}, column ${column}, value '${place.value}': ${problem}`,
    );
    this.place = place;
    this.isFinal = isFinal;
  }
}
