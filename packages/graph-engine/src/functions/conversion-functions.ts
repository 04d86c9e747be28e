import { type Mode } from "@trefoil/cypher";
import { floatOf, integerOf, PointValue } from "@trefoil/graph-store";
import { floatText } from "../values/float-text.ts";
import { describeJava, legacyText } from "../values/legacy-text.ts";
import { typeError } from "../values/query-errors.ts";
import { valueTypeOf } from "../values/type-of.ts";
import { pointText } from "../values/point.ts";
import { temporalText } from "../values/temporal/temporal-text.ts";
import { isFloat, isInteger, isNumber, isTemporal, toDouble } from "../values/value-kind.ts";
import { type Value } from "../values/value.ts";
import { invalidArgument, listArgument } from "./arguments.ts";
import { defineFunction, LEGACY, MODERN } from "./define.ts";
import { type FunctionContext } from "./function-context.ts";
import { type FunctionDefinition, type SignatureType } from "./function-definition.ts";
import { parseFloatText, parseIntegerText } from "./number-text.ts";

/** What a conversion makes of a value, null for a text it can't read; `undefined` for a type it doesn't take. */
type Conversion = (value: NonNullable<Value>, context: FunctionContext) => Value | undefined;

interface ConversionRow {
  readonly name: string;
  readonly to: SignatureType;
  readonly types: string;
  readonly synonyms?: readonly string[];
  readonly convert: Conversion;
}

const ROWS: readonly ConversionRow[] = [
  { name: "toInteger", to: "integer", types: "string | number | boolean", synonyms: ["toInt"], convert: toInteger },
  { name: "toFloat", to: "float", types: "string | number", convert: toFloat },
  { name: "toBoolean", to: "boolean", types: "string | boolean | integer", convert: toBoolean },
  {
    name: "toString",
    to: "string",
    types: "string | number | boolean | point | date | time | local time | datetime | local datetime | duration",
    convert: toText,
  },
];

/** From one type to another: `toX`, `toXOrNull` (null instead of a refusal) and `toXList`; `toInt` and `str` of 2.3. */
export const conversionFunctions: readonly FunctionDefinition[] = [
  ...ROWS.flatMap(modernFunctions),
  legacyFunction("toInt", "integer", toInteger),
  legacyFunction("toFloat", "float", toFloat),
  legacyFunction("toString", "string", toText),
  defineFunction("str(value: any)", {
    returns: "string",
    description: "any value as text, strings in quotes",
    call: (context, value: Value) => legacyText(value, context),
  }),
  defineFunction("valueType(value: any)", {
    returns: "string",
    modes: MODERN,
    takesNull: true,
    description: "the name of the value's type",
    call: (_context, value: Value) => valueTypeOf(value),
  }),
];

function modernFunctions({ name, to, types, synonyms = [], convert }: ConversionRow): FunctionDefinition[] {
  const lenient = (value: Value, context: FunctionContext): Value =>
    value === null ? null : (convert(value, context) ?? null);
  return [
    defineFunction(`${name}(value: ${types})`, {
      returns: to,
      synonyms,
      modes: MODERN,
      description: `as ${to}; null when a text can't be read`,
      call: (context, value: Value) => {
        const converted = value === null ? null : convert(value, context);
        if (converted === undefined) {
          throw invalidArgument(name, types.replaceAll(" | ", ", "), value);
        }
        return converted;
      },
    }),
    defineFunction(`${name}OrNull(value: any)`, {
      returns: to,
      modes: MODERN,
      description: `as ${to}; null when that can't be`,
      call: (context, value: Value) => lenient(value, context),
    }),
    defineFunction(`${name}List(values: list)`, {
      returns: { listOf: to },
      modes: MODERN,
      description: `every element as ${to}; null where that can't be`,
      call: (context, values: Value) =>
        listArgument(values, `${name}List`, context.mode).map((value) => lenient(value, context)),
    }),
  ];
}

function legacyFunction(name: string, to: SignatureType, convert: Conversion): FunctionDefinition {
  return defineFunction(`${name}(value: float | integer | string)`, {
    returns: to,
    modes: LEGACY,
    description: `as ${to}; null when a text can't be read`,
    call: (context, value: Value) => {
      if (value === null || (typeof value !== "string" && !isNumber(value))) {
        throw typeError(`Expected a String or Number, got: ${describeJava(value)}`);
      }
      return convert(value, context) ?? null;
    },
  });
}

function toInteger(value: NonNullable<Value>): Value | undefined {
  if (typeof value === "string") {
    return parseIntegerText(value);
  }
  if (typeof value === "boolean") {
    return Number(value);
  }
  if (isInteger(value)) {
    return value;
  }
  return isFloat(value) ? truncate(toDouble(value)) : undefined;
}

function toFloat(value: NonNullable<Value>): Value | undefined {
  if (typeof value === "string") {
    return parseFloatText(value);
  }
  return isNumber(value) ? floatOf(toDouble(value)) : undefined;
}

function toBoolean(value: NonNullable<Value>): Value | undefined {
  if (typeof value === "string") {
    const text = value.trim().toLowerCase();
    return text === "true" ? true : text === "false" ? false : null;
  }
  return typeof value === "boolean" ? value : isInteger(value) ? value !== 0 : undefined;
}

function toText(value: NonNullable<Value>, { mode }: { readonly mode: Mode }): Value | undefined {
  if (typeof value === "string") {
    return value;
  }
  if (typeof value === "boolean") {
    return String(value);
  }
  if (isNumber(value)) {
    return isInteger(value) ? String(value) : floatText(toDouble(value));
  }
  if (mode === "modern" && isTemporal(value)) {
    return temporalText(value);
  }
  return mode === "modern" && value instanceof PointValue ? pointText(value) : undefined;
}

const INT64_MIN = -(2 ** 63);
const INT64_LIMIT = 2 ** 63;

/** Towards zero, kept at the ends of 64 bits as Java's cast does it; NaN becomes 0. */
function truncate(double: number): Value {
  if (Number.isNaN(double)) {
    return 0;
  }
  if (double >= INT64_LIMIT) {
    return 9223372036854775807n;
  }
  return integerOf(BigInt(double <= INT64_MIN ? INT64_MIN : Math.trunc(double)));
}
