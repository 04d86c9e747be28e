import { floatText } from "@trefoil/graph-engine";

/**
 * A FLOAT as JSON: a point or an exponent is always there, so that it can be told from an integer. JSON has no text
 * for NaN and the infinities: they are strings.
 *
 * @source graph-http §4.3 (row), §14 point 9
 */
export function doubleText(value: number): string {
  return Number.isFinite(value) ? floatText(value) : `"${floatText(value)}"`;
}

/** Whether `JSON.stringify` spells this number as it must be: a safe INTEGER, or a FLOAT in plain notation. */
export function isPlainNumber(value: number): boolean {
  if (Number.isSafeInteger(value)) {
    return value !== 0 || !Object.is(value, -0);
  }
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e7;
}
