import { type Mode } from "@trefoil/cypher";
import { floatOf } from "@trefoil/graph-store";
import { describe, expect, it } from "vitest";
import { PathValue, type Value } from "../values/value.ts";
import { findNearestName } from "./did-you-mean.ts";
import { arityOf } from "./function-definition.ts";
import { builtInFunctions, findFunction, functionNames } from "./registry.ts";
import { contextWithoutGraph } from "./testing/function-context.ts";

const f = floatOf;

function call(mode: Mode, name: string, ...args: Value[]): Value {
  const definition = findFunction(name, mode);
  if (definition === undefined || definition.aggregate) {
    throw new Error(`${name} is no function of ${mode}`);
  }
  return definition.call(contextWithoutGraph(mode), ...args);
}

describe("modern functions", () => {
  it.each<[string, Value[], Value]>([
    ["abs", [-1], 1],
    ["abs", [-1.5], 1.5],
    ["sign", [-2.5], -1],
    ["round", [-2.5], f(-2)],
    ["round", [2.345, 2], 2.35],
    ["round", [-2.55, 1, "HALF_DOWN"], -2.5],
    ["round", [1234.5, -2], f(1200)],
    ["ceil", [1.2], f(2)],
    ["sqrt", [16], f(4)],
    ["isNaN", [Number.NaN], true],
    ["size", ["a😀"], 3],
    ["size", [[1, null]], 2],
    ["length", [new PathValue([1, 2], [3])], 1],
    ["isEmpty", [new Map()], true],
    ["head", [[]], null],
    ["last", [[1, 2]], 2],
    ["tail", [[1, 2]], [2]],
    ["range", [0, 10, 5], [0, 5, 10]],
    ["range", [5, 1, -2], [5, 3, 1]],
    ["range", [0, 1, -123], []],
    ["range", [2n ** 60n, 2n ** 60n + 1n], [2n ** 60n, 2n ** 60n + 1n]],
    ["coalesce", [null, 2, 3], 2],
    ["nullIf", [1, f(1)], null],
    ["toInteger", ["42.9"], 42],
    ["toInteger", ["1e3"], 1000],
    ["toInteger", ["foo"], null],
    ["toInteger", [true], 1],
    ["toInteger", [-3.99], -3],
    ["toInteger", [1e30], 2n ** 63n - 1n],
    ["toIntegerOrNull", [[]], null],
    ["toIntegerList", [["1", null, "x", 2.5]], [1, null, null, 2]],
    ["toFloat", [" 12 "], f(12)],
    ["toFloat", ["0x1p3"], f(8)],
    ["toBoolean", [" TRUE "], true],
    ["toBoolean", ["yes"], null],
    ["toString", [f(1)], "1.0"],
    ["toString", [true], "true"],
    ["str", [[1, "a", null]], '[1,"a",<null>]'],
    ["valueType", [[1, "a"]], "LIST<STRING NOT NULL | INTEGER NOT NULL> NOT NULL"],
    ["valueType", [[null, 1, [f(1)], 2]], "LIST<INTEGER | LIST<FLOAT NOT NULL>> NOT NULL"],
    ["valueType", [[]], "LIST<NOTHING> NOT NULL"],
    ["valueType", [[null]], "LIST<NULL> NOT NULL"],
    ["reverse", [[1, 2]], [2, 1]],
    ["reverse", ["a😀b"], "b😀a"],
    ["trim", ["\u2003 a\u0001"], "a"],
    ["btrim", ["xxaxx", "x"], "a"],
    ["ltrim", ["xxa", "x"], "a"],
    ["replace", ["hello", "l", "$&"], "he$&$&o"],
    ["substring", ["hello", 1, 3], "ell"],
    ["left", ["hello", 20], "hello"],
    ["right", ["hello", 0], ""],
    ["split", ["a,b;c", [",", ";"]], ["a", "b", "c"]],
    ["split", ["abc", ""], ["a", "b", "c"]],
    ["split", ["", ","], [""]],
    ["toUpper", ["é"], "É"],
    ["keys", [new Map([["a", 1]])], ["a"]],
    ["normalize", ["e\u0301"], "é"],
    ["atan2", [0, 1], f(0)],
    ["haversin", [0], f(0)],
    ["rand", [], 0.25],
    ["timestamp", [], 1_700_000_000_000],
  ])("%s%o", (name, args, result) => {
    expect(call("modern", name, ...args)).toStrictEqual(result);
  });

  it("give null for null, but for those that are made for it", () => {
    const given = builtInFunctions.flatMap((definition) => {
      const nulls = Array.from({ length: arityOf(definition).minimum }, () => null);
      return definition.aggregate || !definition.nullInNullOut || nulls.length === 0
        ? []
        : [[definition.name, definition.call(contextWithoutGraph(definition.modes[0]!), ...nulls)]];
    });
    expect(given.length).toBeGreaterThan(70);
    expect(given.filter(([, value]) => value !== null)).toEqual([]);
  });

  it.each<[string, Value[], string, string]>([
    ["toInteger", [[]], "ClientError.Statement.InvalidType", "InvalidArgumentValue"],
    ["toBoolean", [f(1)], "ClientError.Statement.InvalidType", "InvalidArgumentValue"],
    ["labels", [1], "ClientError.Statement.InvalidType", "InvalidArgumentValue"],
    ["type", [1], "ClientError.Statement.InvalidType", "InvalidArgumentValue"],
    ["range", [0, 1, 0], "ClientError.Statement.InvalidArguments", "NumberOutOfRange"],
    ["range", [0, f(1)], "ClientError.Statement.InvalidArguments", "InvalidArgumentType"],
    ["range", [0, 10 ** 12], "ClientError.Statement.InvalidArguments", "NumberOutOfRange"],
    ["substring", ["a", -1], "ClientError.Statement.InvalidArguments", "NumberOutOfRange"],
    ["toInteger", ["9".repeat(1000)], "ClientError.Statement.InvalidType", "InvalidArgumentType"],
  ])("%s%o is refused", (name, args, code, tckDetail) => {
    expect(() => call("modern", name, ...args)).toThrow(expect.objectContaining({ code, tckDetail, phase: "runtime" }));
  });
});

describe("functions of 2.3", () => {
  it.each<[string, Value[], Value]>([
    ["abs", [-1], f(1)],
    ["sign", [-5], f(-1)],
    ["round", [-0.4], f(0)],
    ["round", [0.49999999999999994], f(0)],
    ["round", [f(1e20)], f(2 ** 63)],
    ["substring", ["hello", 4294967297], "ello"],
    ["left", ["hello", 4294967298], "he"],
    ["split", [null, 1], null],
    ["replace", ["a", null, "b"], null],
    ["toInt", [" 42"], null],
    ["toFloat", ["1d"], f(1)],
    ["size", [1], 1],
    ["size", [new Map([["a", 1]])], 1],
    ["tail", [1], []],
    ["range", [1.5, 3], [1, 2, 3]],
    ["trim", ["\u0000\u2003 a\u2003\u0001"], "\u2003 a\u2003"],
    ["rels", [new PathValue([1], [])], []],
    ["has", [null], false],
    ["lower", ["A"], "a"],
  ])("%s%o", (name, args, result) => {
    expect(call("2.3", name, ...args)).toStrictEqual(result);
  });

  it("know neither what came later nor its arguments", () => {
    expect(findFunction("toInteger", "2.3")).toBeUndefined();
    expect(findFunction("properties", "2.3")).toBeUndefined();
    expect(() => call("2.3", "toInt", true)).toThrow("Expected a String or Number, got: true");
    expect(() => call("2.3", "lower", 1)).toThrow("Expected a string value for toLower(), but got: 1");
    expect(() => call("2.3", "split", 1, null)).toThrow("Expected a string value");
    expect(() => call("2.3", "replace", "a", null, 1)).toThrow("Expected a string value");
    expect(() => call("2.3", "substring", "a", -1, null)).toThrow("Expected a numeric value");
    expect(() => call("2.3", "left", "hello", -1)).toThrow(
      expect.objectContaining({ code: "DatabaseError.Statement.ExecutionFailure" }),
    );
  });
});

describe("the registry", () => {
  it("has one function per name and mode", () => {
    for (const mode of ["modern", "2.3"] as const) {
      const names = functionNames(mode).map((name) => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it("finds names in any case", () => {
    expect(findFunction("TOINT", "2.3")?.name).toBe("toInt");
    expect(findFunction("COUNT", "modern")?.aggregate).toBe(true);
  });

  it("reads signatures", () => {
    expect(arityOf(findFunction("substring", "modern")!)).toEqual({ minimum: 2, maximum: 3 });
    expect(arityOf(findFunction("coalesce", "modern")!)).toEqual({ minimum: 1, maximum: Infinity });
    expect(findFunction("keys", "modern")?.parameters[0]?.types).toEqual(["map", "node", "relationship"]);
  });

  it("guesses what was meant", () => {
    expect(findNearestName("toUper", functionNames("modern"))).toBe("toUpper");
    expect(findNearestName("szie", functionNames("modern"))).toBe("size");
    expect(findNearestName("frobnicate", functionNames("modern"))).toBeUndefined();
  });
});
