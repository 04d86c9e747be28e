import { type TemporalValue } from "@trefoil/graph-store";
import { argumentError } from "../../values/query-errors.ts";
import { parseTimeZone, UTC } from "../../values/temporal/time-zone.ts";
import { atInstant } from "../../values/temporal/zoned.ts";
import { type Value } from "../../values/value.ts";
import { isMap, isTemporal } from "../../values/value-kind.ts";
import { invalidArgument, stringArgument, wholeArgument } from "../arguments.ts";
import { defineFunction, MODERN } from "../define.ts";
import { type FunctionContext } from "../function-context.ts";
import { type FunctionDefinition, type SignatureType } from "../function-definition.ts";
import { partsOfMap } from "./temporal-map.ts";
import { partsOf, partsOfText, TEMPORAL_TYPES, type TemporalParts, type TemporalType } from "./temporal-types.ts";
import { truncateParts } from "./truncation.ts";

const RETURN_TYPES: Readonly<Record<TemporalType["name"], SignatureType>> = {
  date: "date",
  localtime: "local time",
  time: "time",
  localdatetime: "local datetime",
  datetime: "datetime",
};

/** The clocks a present moment can be taken from; the plain call means the statement's. */
const CLOCKS: Readonly<Record<string, (context: FunctionContext) => number>> = {
  transaction: (context) => context.transactionTimeMs,
  statement: (context) => context.statementTimeMs,
  realtime: (context) => context.clock.now(),
};

/** `date`, `time`, `localtime`, `datetime`, `localdatetime` with their clocks and truncation; modern only. */
export const temporalFunctions: readonly FunctionDefinition[] = [
  ...TEMPORAL_TYPES.flatMap((type) => [constructor(type), ...clockFunctions(type), truncateFunction(type)]),
  defineFunction("datetime.fromepoch(seconds: integer, nanoseconds: integer)", {
    returns: "datetime",
    modes: MODERN,
    description: "so many seconds and nanoseconds after 1970",
    call: ({ mode }, seconds: Value, nanoseconds: Value) =>
      momentOf(
        wholeArgument(seconds, "datetime.fromepoch", mode),
        wholeArgument(nanoseconds, "datetime.fromepoch", mode),
      ),
  }),
  defineFunction("datetime.fromepochmillis(milliseconds: integer)", {
    returns: "datetime",
    modes: MODERN,
    description: "so many milliseconds after 1970",
    call: ({ mode }, milliseconds: Value) =>
      momentOfMillis(wholeArgument(milliseconds, "datetime.fromepochmillis", mode)),
  }),
];

function constructor(type: TemporalType): FunctionDefinition {
  return defineFunction(`${type.name}(input?: any)`, {
    returns: RETURN_TYPES[type.name],
    modes: MODERN,
    deterministic: false,
    description: `the present ${type.name}, or one from a text, a map or another temporal value`,
    call: (context, input?: Value) =>
      input === undefined ? present(type, context.statementTimeMs) : type.make(partsOfInput(input, type, context)),
  });
}

function partsOfInput(input: Value, type: TemporalType, context: FunctionContext): TemporalParts {
  if (typeof input === "string") {
    return partsOfText(input, type);
  }
  if (isMap(input)) {
    return isOnlyZone(input)
      ? partsOf(nowIn(context.statementTimeMs, input.get("timezone")))
      : partsOfMap(input, type, Math.floor(context.statementTimeMs / 1_000));
  }
  if (isTemporal(input)) {
    return partsOf(input);
  }
  throw invalidArgument(type.name, "a STRING, MAP or temporal value", input);
}

/** `date({timezone: '…'})` is the present one there. */
function isOnlyZone(map: ReadonlyMap<string, Value>): boolean {
  return map.size === 1 && map.has("timezone");
}

function clockFunctions(type: TemporalType): FunctionDefinition[] {
  return Object.entries(CLOCKS).map(([clock, read]) =>
    defineFunction(`${type.name}.${clock}(timezone?: string)`, {
      returns: RETURN_TYPES[type.name],
      modes: MODERN,
      deterministic: false,
      description: `the present ${type.name} by the clock of the ${clock}`,
      call: (context, timezone?: Value) => present(type, read(context), timezone),
    }),
  );
}

function truncateFunction(type: TemporalType): FunctionDefinition {
  return defineFunction(`${type.name}.truncate(unit: string, value?: any, fields?: map)`, {
    returns: RETURN_TYPES[type.name],
    modes: MODERN,
    deterministic: false,
    description: "the start of the unit a value lies in, with fields set",
    call: (context, unit: Value, value?: Value, fields?: Value) => {
      const name = stringArgument(unit, `${type.name}.truncate`, context.mode);
      const given = value ?? nowIn(context.statementTimeMs, undefined);
      if (!isTemporal(given)) {
        throw invalidArgument(`${type.name}.truncate`, "a temporal value", given);
      }
      const map = fields ?? new Map<string, Value>();
      if (!isMap(map)) {
        throw invalidArgument(`${type.name}.truncate`, "a MAP", map);
      }
      return type.make(truncateParts(name, partsOf(given), map, type));
    },
  });
}

function present(type: TemporalType, timeMs: number, timezone?: Value): Value {
  return type.make(partsOf(nowIn(timeMs, timezone)));
}

function nowIn(timeMs: number, timezone: Value | undefined): TemporalValue {
  if (timezone !== undefined && typeof timezone !== "string") {
    throw argumentError("timezone must be a STRING");
  }
  const moment = momentOfMillis(timeMs);
  return timezone === undefined ? moment : atInstant(moment, parseTimeZone(timezone));
}

function momentOfMillis(milliseconds: number): ReturnType<typeof atInstant> {
  const seconds = Math.floor(milliseconds / 1_000);
  return momentOf(seconds, (milliseconds - seconds * 1_000) * 1_000_000);
}

function momentOf(seconds: number, nanoseconds: number): ReturnType<typeof atInstant> {
  const epochDay = Math.floor(seconds / 86_400);
  return atInstant({ epochDay, nanoOfDay: (seconds - epochDay * 86_400) * 1e9 + nanoseconds }, UTC);
}
