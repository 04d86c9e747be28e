import { floatOf, integerOf } from "@trefoil/graph-store";
import { typeError } from "../values/query-errors.ts";
import { type Value } from "../values/value.ts";

const INTEGER_TEXT = /^[+-]?\d+$/;
const DECIMAL_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NAMED_FLOAT = /^([+-]?)(NaN|Infinity)$/;
const HEX_FLOAT = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)$/;
/** More digits than any 64-bit number needs; a bigint of a hostile length is never made. */
const DIGITS_LIMIT = 400;

/**
 * The INTEGER a text stands for: decimal, cut towards zero when it has a fraction; null for any other text.
 *
 * @throws InvalidType for a whole number beyond 64 bits
 */
export function parseIntegerText(text: string): Value {
  if (INTEGER_TEXT.test(text)) {
    const value = text.length <= DIGITS_LIMIT ? BigInt(text.replace(/^\+/, "")) : 2n ** 64n;
    if (BigInt.asIntN(64, value) !== value) {
      throw typeError(`integer, ${text.slice(0, 50)}, is too large`);
    }
    return integerOf(value);
  }
  if (!DECIMAL_TEXT.test(text)) {
    return null;
  }
  const value = Number(text);
  if (Math.abs(value) >= 2 ** 63) {
    throw typeError(`integer, ${text.slice(0, 50)}, is too large`);
  }
  return integerOf(BigInt(Math.trunc(value)));
}

/** The FLOAT a text stands for, as Java reads doubles (blanks around, suffix d or f, hexadecimal); null otherwise. */
export function parseFloatText(text: string): Value {
  const trimmed = text.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, "");
  const named = NAMED_FLOAT.exec(trimmed);
  if (named !== null) {
    return named[2] === "NaN" ? Number.NaN : named[1] === "-" ? -Infinity : Infinity;
  }
  const withoutSuffix = trimmed.replace(/[dDfF]$/, "");
  if (DECIMAL_TEXT.test(withoutSuffix)) {
    return floatOf(Number(withoutSuffix));
  }
  const hex = HEX_FLOAT.exec(withoutSuffix) ?? HEX_FLOAT.exec(trimmed);
  return hex === null ? null : parseHexFloat(hex);
}

function parseHexFloat([, sign, whole = "", fraction = "", exponent = "0"]: RegExpExecArray): Value {
  if (whole === "" && fraction === "") {
    return null;
  }
  const mantissa = Number(`0x${whole}${fraction}`);
  const value = mantissa * 2 ** (Number(exponent) - 4 * fraction.length);
  return floatOf(sign === "-" ? -value : value);
}
