/**
 * A double as Java and Cypher print it: `1.0`, `1.0E10`, `1.0E-4`, `NaN`, `Infinity`. Plain notation from 1e-3 up to
 * below 1e7, else one digit before the point; always at least one digit after it.
 */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  }
  if (value === 0) {
    return Object.is(value, -0) ? "-0.0" : "0.0";
  }
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-3 && magnitude < 1e7) {
    const text = String(value);
    return text.includes(".") ? text : `${text}.0`;
  }
  const [mantissa, exponent] = scientific(value);
  return `${mantissa.includes(".") ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}

/** The shortest digits that read back as `value`, but at least two: of two-digit texts Java takes the nearest (`4.9E-324`). */
function scientific(value: number): [mantissa: string, exponent: string] {
  let text = value.toExponential();
  if (!text.includes(".")) {
    const twoDigits = value.toExponential(1);
    if (Number(twoDigits) === value) {
      text = twoDigits;
    }
  }
  const at = text.indexOf("e");
  return [text.slice(0, at), text.slice(at + 1)];
}
