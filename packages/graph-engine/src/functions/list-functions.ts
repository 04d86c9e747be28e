import { legacyCastError, legacyLookupError } from "../values/element-access.ts";
import { type Mode } from "@trefoil/cypher";
import { integerOf } from "@trefoil/graph-store";
import { equals } from "../values/equality.ts";
import { argumentError } from "../values/query-errors.ts";
import { describeType } from "../values/type-of.ts";
import { type NumberValue, PathValue, type Value } from "../values/value.ts";
import { isInteger, isList, isMap, toDouble } from "../values/value-kind.ts";
import { invalidArgument, listArgument, numberArgument } from "./arguments.ts";
import { defineFunction, LEGACY, MODERN } from "./define.ts";
import { type FunctionDefinition } from "./function-definition.ts";

/** A `range()` with more elements than this is refused before it fills the memory. */
const RANGE_LIMIT = 50_000_000;

/** Functions on lists and collections of any kind. */
export const listFunctions: readonly FunctionDefinition[] = [
  defineFunction("size(collection: string | list)", {
    returns: "integer",
    description: "how many elements, or UTF-16 units, there are",
    call: ({ mode }, collection: Value) => sizeOf(collection, "size", mode),
  }),
  defineFunction("length(collection: path | string | list)", {
    returns: "integer",
    description: "how many relationships a path has",
    call: ({ mode }, collection: Value) =>
      collection instanceof PathValue ? collection.relationships.length : sizeOf(collection, "length", mode),
  }),
  defineFunction("isEmpty(collection: string | list | map)", {
    returns: "boolean",
    modes: MODERN,
    description: "whether nothing is in it",
    call: ({ mode }, collection: Value) =>
      isMap(collection) ? collection.size === 0 : sizeOf(collection, "isEmpty", mode) === 0,
  }),
  defineFunction("head(list: list)", {
    returns: { elementOf: 0 },
    description: "the first element",
    call: ({ mode }, list: Value) => listOnly(list, "head", mode, 0)[0] ?? null,
  }),
  defineFunction("last(list: list)", {
    returns: { elementOf: 0 },
    description: "the last element",
    call: ({ mode }, list: Value) => listOnly(list, "last", mode, -1).at(-1) ?? null,
  }),
  defineFunction("tail(list: list)", {
    returns: "tailOf",
    description: "all elements but the first",
    call: ({ mode }, list: Value) => listArgument(list, "tail", mode).slice(1),
  }),
  defineFunction("range(start: integer, end: integer, step?: integer)", {
    returns: { listOf: "integer" },
    checkedAtRuntime: true,
    modes: MODERN,
    takesNull: true,
    description: "the whole numbers from the first to the last, both included",
    call: (_context, start: Value, end: Value, step: Value = 1) =>
      start === null || end === null || step === null
        ? null
        : range(wholeBound(start), wholeBound(end), stepOf(wholeBound(step))),
  }),
  defineFunction("range(start: integer, end: integer, step?: integer)", {
    returns: { listOf: "integer" },
    modes: LEGACY,
    takesNull: true,
    description: "the whole numbers from the first to the last, both included",
    call: ({ mode }, start: Value, end: Value, step: Value = 1) => {
      const by = stepOf(legacyBound(step, mode));
      return range(legacyBound(start, mode), legacyBound(end, mode), by);
    },
  }),
  defineFunction("coalesce(value...: any)", {
    returns: "common",
    takesNull: true,
    description: "the first value that is not null",
    call: (_context, ...values) => values.find((value) => value !== null) ?? null,
  }),
  defineFunction("nullIf(value: any, other: any)", {
    returns: { sameAs: 0 },
    modes: MODERN,
    takesNull: true,
    description: "null when both are equal, else the first",
    call: ({ mode }, value: Value, other: Value) => (equals(value, other, mode) === true ? null : value),
  }),
  defineFunction("exists(value: any)", {
    returns: "boolean",
    synonyms: ["has"],
    takesNull: true,
    description: "whether a property is there",
    call: (_context, value: Value) => value !== null,
  }),
];

function sizeOf(collection: Value, name: string, mode: Mode): number {
  if (typeof collection === "string") {
    return collection.length;
  }
  if (isList(collection) || mode === "2.3") {
    return listArgument(collection, name, mode).length;
  }
  throw invalidArgument(name, "a STRING or LIST", collection);
}

/** In 2.3 the ends of a list are looked up by their index. */
function listOnly(list: Value, name: string, mode: Mode, index: number): readonly Value[] {
  if (!isList(list)) {
    throw mode === "modern"
      ? invalidArgument(name, "a LIST", list)
      : isMap(list)
        ? legacyCastError(index, "java.lang.String")
        : legacyLookupError(list, index);
  }
  return listArgument(list, name, mode);
}

/** A bound of `range()` may only be an INTEGER, which is no type error but an argument error (TCK List11 [5]). */
function wholeBound(value: NonNullable<Value>): number | bigint {
  if (isInteger(value)) {
    return value;
  }
  throw argumentError(`range() takes INTEGER arguments only, but got ${describeType(value)}`, "InvalidArgumentType");
}

/** 2.3 cuts FLOATs. */
function legacyBound(value: Value, mode: Mode): number | bigint {
  const number: NumberValue = numberArgument(value, "range", mode);
  return isInteger(number) ? number : Math.trunc(toDouble(number));
}

function stepOf(step: number | bigint): number | bigint {
  // oxlint-disable-next-line eqeqeq
  if (step == 0) {
    throw argumentError("step argument to range() cannot be zero", "NumberOutOfRange");
  }
  return step;
}

/** @param step  not 0 */
function range(start: number | bigint, end: number | bigint, step: number | bigint): Value {
  if (typeof start === "number" && typeof end === "number" && typeof step === "number") {
    const count = boundedLength(Math.floor((end - start) / step) + 1);
    // Ten times as fast as Array.from with a callback, and the list is the fastest kind there is.
    const list: number[] = [];
    for (let index = 0; index < count; index++) {
      list.push(start + index * step);
    }
    return list;
  }
  const first = BigInt(start);
  const count = (BigInt(end) - first) / BigInt(step) + 1n;
  const reaches = BigInt(step) > 0n ? first <= BigInt(end) : first >= BigInt(end);
  return Array.from({ length: boundedLength(reaches ? Number(count) : 0) }, (_unused, index) =>
    integerOf(first + BigInt(index) * BigInt(step)),
  );
}

function boundedLength(count: number): number {
  if (count > RANGE_LIMIT) {
    throw argumentError(`range() would have ${count} elements, more than ${RANGE_LIMIT}`, "NumberOutOfRange");
  }
  return Math.max(0, count);
}
