import { floatOf } from "@trefoil/graph-store";
import { argumentError } from "../values/query-errors.ts";
import { toDouble } from "../values/value-kind.ts";
import { type Value } from "../values/value.ts";
import { numberArgument, stringArgument, wholeArgument } from "./arguments.ts";
import { type FunctionContext } from "./function-context.ts";

/** Decimal digits by which a scaled magnitude (a bigint of digits and a rest) is rounded away from zero or not. */
type Rule = (digits: bigint, half: -1 | 0 | 1, negative: boolean) => boolean;

/** Whether to go one up in magnitude, given how the cut part compares to a half; never asked when nothing is cut. */
const RULES: Readonly<Record<string, Rule>> = {
  UP: () => true,
  DOWN: () => false,
  CEILING: (_digits, _half, negative) => !negative,
  FLOOR: (_digits, _half, negative) => negative,
  HALF_UP: (_digits, half) => half >= 0,
  HALF_DOWN: (_digits, half) => half > 0,
  HALF_EVEN: (digits, half) => half > 0 || (half === 0 && digits % 2n === 1n),
};

const PRECISION_LIMIT = 400;

/**
 * `round(x [, precision [, mode]])`: without a precision to the nearest whole number, halves upwards; with one by the
 * decimal text of `x`, halves away from zero unless `mode` (UP, DOWN, CEILING, FLOOR, HALF_UP, HALF_DOWN, HALF_EVEN)
 * says otherwise. Always a FLOAT.
 *
 * @throws InvalidArguments for an unknown mode
 */
export function roundTo(context: FunctionContext, x: Value, precision?: Value, mode?: Value): Value {
  const value = toDouble(numberArgument(x, "round", context.mode));
  if (precision === undefined) {
    return floatOf(Math.floor(value + 0.5) + 0);
  }
  const decimals = wholeArgument(precision, "round", context.mode);
  const ruleName = mode === undefined ? "HALF_UP" : stringArgument(mode, "round", context.mode).toUpperCase();
  const rule = Object.hasOwn(RULES, ruleName) ? RULES[ruleName] : undefined;
  if (rule === undefined) {
    throw argumentError(`Unknown rounding mode '${ruleName}': expected one of ${Object.keys(RULES).join(", ")}`);
  }
  if (!Number.isFinite(value) || decimals > PRECISION_LIMIT) {
    return floatOf(value);
  }
  return floatOf(decimals < -PRECISION_LIMIT ? 0 : roundDecimal(value, decimals, rule));
}

function roundDecimal(value: number, decimals: number, rule: Rule): number {
  const [mantissa = "", exponentText = "0"] = Math.abs(value).toExponential().split("e");
  const digitText = mantissa.replace(".", "");
  const digits = BigInt(digitText);
  // The value is digits × 10^-scale.
  const scale = digitText.length - 1 - Number(exponentText);
  const cut = scale - decimals;
  if (cut <= 0) {
    return value;
  }
  const unit = 10n ** BigInt(cut);
  const kept = digits / unit;
  const rest = digits % unit;
  const half = rest * 2n > unit ? 1 : rest * 2n === unit ? 0 : -1;
  const rounded = rest !== 0n && rule(kept, half, value < 0) ? kept + 1n : kept;
  return Number(`${value < 0 ? "-" : ""}${rounded}e${-decimals}`);
}
