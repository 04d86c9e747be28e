/**
 * A FLOAT whose value is a whole number (`1.0`, `-0.0`), which a plain JavaScript number could not tell from an
 * INTEGER. Every other FLOAT is a plain number: see docs/decisions/0001.
 */
export class WholeFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** Whether a plain number stands for an INTEGER (safe whole numbers; -0 is a FLOAT). */
export function isIntegerNumber(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

/** The FLOAT of a double: boxed exactly when the plain number would read as an INTEGER. */
export function floatOf(value: number): number | WholeFloat {
  return Number.isSafeInteger(value) ? new WholeFloat(value) : value;
}

/** The INTEGER of a bigint within 64 bits: a plain number whenever it is safe. */
export function integerOf(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}
