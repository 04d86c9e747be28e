import { DataError, RECORD_LIMIT_CHARACTERS, type Value } from "./records.ts";

/** What one record may cost: characters read and written again by its expressions, and steps of its patterns. */
const LIMIT = 8 * RECORD_LIMIT_CHARACTERS;

/**
 * Bounds what a query does for one record. An expression of a few kilobytes can ask for a long column a thousand times,
 * or match it with a pattern in time that is the product of both lengths; the server has other requests to answer.
 */
export class WorkBudget {
  #left = LIMIT;

  /** For the next record. */
  restart(): void {
    this.#left = LIMIT;
  }

  /** @throws DataError `RecordTooCostly` */
  spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) {
      throw new DataError("RecordTooCostly", "the expression asks for more than may be spent on one record");
    }
  }

  /** A value that is there to be worked with, once it is paid for. @throws DataError `RecordTooCostly` */
  paid<Kind extends Value>(value: Kind): Kind {
    this.spend(typeof value === "string" ? value.length + 1 : 1);
    return value;
  }
}
