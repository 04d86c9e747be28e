import { type Mode } from "@trefoil/cypher";
import { floatOf } from "@trefoil/graph-store";
import { negate } from "../values/arithmetic.ts";
import { toDouble, isInteger } from "../values/value-kind.ts";
import { type NumberValue, type Value } from "../values/value.ts";
import { numberArgument } from "./arguments.ts";
import { defineFunction, LEGACY, MODERN } from "./define.ts";
import { type FunctionDefinition } from "./function-definition.ts";
import { roundTo } from "./rounding.ts";

const HALF_PI = Math.PI / 2;

/** A function from doubles to doubles under a name, on numbers, giving a FLOAT. */
function real(
  name: string,
  description: string,
  compute: (x: number) => number,
  modes?: readonly Mode[],
): FunctionDefinition {
  return defineFunction(`${name}(x: number)`, {
    returns: "float",
    description,
    ...(modes === undefined ? {} : { modes }),
    call: (context, x: Value) => floatOf(compute(toDouble(numberArgument(x, name, context.mode)))),
  });
}

/** Numbers in, numbers out; cypher.md §4.3 for what 2.3 does otherwise (floats from all of them). */
export const mathFunctions: readonly FunctionDefinition[] = [
  defineFunction("abs(x: integer | float)", {
    returns: { sameAs: 0 },
    modes: MODERN,
    description: "the absolute value",
    call: (context, x: Value) => absolute(numberArgument(x, "abs", context.mode), context.mode),
  }),
  defineFunction("abs(x: integer | float)", {
    returns: "number",
    modes: LEGACY,
    description: "the absolute value",
    call: (context, x: Value) => floatOf(Math.abs(toDouble(numberArgument(x, "abs", context.mode)))),
  }),
  defineFunction("sign(x: number)", {
    returns: "integer",
    modes: MODERN,
    description: "-1, 0 or 1",
    call: (context, x: Value) => signum(toDouble(numberArgument(x, "sign", context.mode))),
  }),
  defineFunction("sign(x: float | integer)", {
    returns: "float",
    modes: LEGACY,
    description: "-1.0, 0.0 or 1.0",
    call: (context, x: Value) => floatOf(Math.sign(toDouble(numberArgument(x, "sign", context.mode)))),
  }),
  defineFunction("round(x: number, precision?: integer, mode?: string)", {
    returns: "float",
    modes: MODERN,
    description: "the nearest whole number, or number with so many decimals",
    call: roundTo,
  }),
  real("round", "the nearest whole number, halves upwards", legacyRound, LEGACY),
  real("ceil", "the smallest whole number not below", Math.ceil),
  real("floor", "the largest whole number not above", Math.floor),
  real("sqrt", "the square root", Math.sqrt),
  real("exp", "e to this power", Math.exp),
  real("log", "the natural logarithm", Math.log),
  real("log10", "the logarithm to base 10", Math.log10),
  real("sin", "the sine of an angle in radians", Math.sin),
  real("cos", "the cosine of an angle in radians", Math.cos),
  real("tan", "the tangent of an angle in radians", Math.tan),
  real("cot", "the cotangent of an angle in radians", (x) => 1 / Math.tan(x)),
  real("asin", "the arc sine in radians", Math.asin),
  real("acos", "the arc cosine in radians", Math.acos),
  real("atan", "the arc tangent in radians", Math.atan),
  real("sinh", "the hyperbolic sine", Math.sinh, MODERN),
  real("cosh", "the hyperbolic cosine", Math.cosh, MODERN),
  real("tanh", "the hyperbolic tangent", Math.tanh, MODERN),
  real("coth", "the hyperbolic cotangent", (x) => 1 / Math.tanh(x), MODERN),
  real("degrees", "radians as degrees", (x) => (x / HALF_PI) * 90),
  real("radians", "degrees as radians", (x) => (x / 90) * HALF_PI),
  real("haversin", "half the versine of an angle in radians", (x) => (1 - Math.cos(x)) / 2),
  defineFunction("atan2(y: number, x: number)", {
    returns: "float",
    description: "the angle of a point in radians",
    call: (context, y: Value, x: Value) =>
      floatOf(
        Math.atan2(
          toDouble(numberArgument(y, "atan2", context.mode)),
          toDouble(numberArgument(x, "atan2", context.mode)),
        ),
      ),
  }),
  defineFunction("pi()", { returns: "float", description: "π", call: () => Math.PI }),
  defineFunction("e()", { returns: "float", description: "the base of natural logarithms", call: () => Math.E }),
  defineFunction("rand()", {
    returns: "float",
    description: "a random number, at least 0 and below 1",
    deterministic: false,
    call: (context) => floatOf(context.random()),
  }),
  defineFunction("isNaN(x: number)", {
    returns: "boolean",
    modes: MODERN,
    description: "whether this is NaN",
    call: (context, x: Value) => Number.isNaN(toDouble(numberArgument(x, "isNaN", context.mode))),
  }),
];

/** 2.3 rounds to a 64-bit INTEGER, the nearest there is, and makes a FLOAT of it. */
function legacyRound(x: number): number {
  const below = Math.floor(x);
  // Not by adding a half: the largest number below one half would become 1.
  const nearest = x - below >= 0.5 ? below + 1 : below;
  return Number.isNaN(x) ? 0 : Math.max(-(2 ** 63), Math.min(2 ** 63, nearest)) + 0;
}

/** -1, 0 or 1; 0 for NaN, as an INTEGER has nothing else to say. */
function signum(x: number): number {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

function absolute(x: NumberValue, mode: Mode): Value {
  if (isInteger(x)) {
    return x < 0 ? negate(x, mode) : x;
  }
  return floatOf(Math.abs(toDouble(x)));
}
