import { parseStatement } from "@trefoil/cypher";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Value } from "./value.ts";
import { cellText, nameText, stringLiteral, valueText } from "./value-text.ts";
import { valueJson } from "./value-json.ts";
import { WholeFloat } from "./whole-float.ts";

const ada: Value = { kind: "node", id: "1", labels: ["Person", "Old one"], properties: new Map([["name", "Ada"]]) };
const bob: Value = { kind: "node", id: "2", labels: [], properties: new Map() };
const knows: Value = {
  kind: "relationship",
  id: "9",
  type: "KNOWS",
  startId: "2",
  endId: "1",
  properties: new Map([["since", 1843]]),
};

describe("valueText", () => {
  it.each<[Value, string]>([
    [null, "null"],
    ["it's", String.raw`'it\'s'`],
    [9223372036854775807n, "9223372036854775807"],
    [new WholeFloat(1), "1.0"],
    [[1, "a", null], "[1, 'a', null]"],
    [{ kind: "map", entries: new Map([["odd key", true]]) }, "{`odd key`: true}"],
    [ada, "(:Person:`Old one` {name: 'Ada'})"],
    [
      { kind: "path", nodes: [ada, bob], relationships: [knows] },
      "(:Person:`Old one` {name: 'Ada'})<-[:KNOWS {since: 1843}]-()",
    ],
  ])("of %o", (value, text) => {
    expect(valueText(value)).toBe(text);
  });

  it("writes texts and names that the language reads back", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), (text, name) => {
        const parse = (): unknown =>
          parseStatement(`RETURN ${stringLiteral(text)} AS ${nameText(name)}`, { mode: "modern" });
        expect(parse).not.toThrow();
      }),
    );
  });
});

describe("cellText and valueJson", () => {
  it("leave a text bare in a cell, and lose nothing in JSON", () => {
    expect(cellText("bare")).toBe("bare");
    expect(JSON.parse(valueJson(ada))).toEqual({ id: "1", labels: ["Person", "Old one"], properties: { name: "Ada" } });
    expect(valueJson([9007199254740993n, new WholeFloat(2)])).toBe("[9007199254740993, 2.0]");
  });
});
