import { CorruptionError } from "@trefoil/base";

/** An extent whose bytes are not those that were written: its checksum, its size or its footer does not hold. */
export class ExtentCorruptionError extends CorruptionError<"extent"> {
  override readonly name = "ExtentCorruptionError";
  readonly extentId: string;

  constructor(extentId: string, what: string) {
    super("extent", "Stored bytes failed their checksum.", { detail: `extent ${extentId}: ${what}` });
    this.extentId = extentId;
  }
}

/** Bytes in a row of the database that are not those that were written. */
export class RowCorruptionError extends CorruptionError<"row"> {
  override readonly name = "RowCorruptionError";

  constructor(detail: string) {
    super("row", "Stored bytes failed their checksum.", { detail });
  }
}
