import { describe, expect, it } from "vitest";
import { readCase } from "./expectation.ts";
import { judgeAnswer } from "./judge.ts";
import { readFeature } from "./read-feature.ts";
import { readValue } from "./read-value.ts";
import { canonicalText } from "./tck-value.ts";

const text = (notation: string, ignoreListOrder = false): string => canonicalText(readValue(notation), ignoreListOrder);

describe("the TCK's value notation", () => {
  it("keeps integers and floats apart, and takes -0.0 for 0.0", () => {
    expect(text("1")).not.toBe(text("1.0"));
    expect(text("-0.0")).toBe(text("0.0"));
    expect(text("NaN")).toBe("float NaN");
  });

  it("reads strings with their escapes", () => {
    expect(text(String.raw`'it\'s \\ \n'`)).toBe(JSON.stringify(String.raw`it's \ \n`));
  });

  it("compares entities by what they hold, whatever the order of labels and keys", () => {
    expect(text("(:A:B {x: 1, y: [2, 'z']})")).toBe(text("(:B:A {y: [2, 'z'], x: 1})"));
    expect(text("<(:A)-[:T {a: 1}]->()<-[:S]-(:B)>")).toBe("<(:A {})-[:T {a: 1}]->( {})<-[:S {}]-(:B {})>");
    expect(text("[[:T], {a: null}]")).toBe("[[:T {}], {a: null}]");
  });

  it("takes lists for bags only when told to", () => {
    expect(text("[1, [3, 2]]")).not.toBe(text("[[2, 3], 1]"));
    expect(text("[1, [3, 2]]", true)).toBe(text("[[2, 3], 1]", true));
  });

  it.each(["'open", "[1", "(:A", "1 2", "foo"])("refuses %s", (notation) => {
    expect(() => readValue(notation)).toThrow(/no value of the TCK/);
  });
});

describe("features", () => {
  const feature = String.raw`
Feature: F
  Background:
    Given any graph
  @tag
  Scenario Outline: [1] adds <a>
    When executing query:
      """
      RETURN <a>
        + 1 AS x
      """
    Then the result should be, in order:
      | x        |
      | <result> |
    And no side effects
    Examples:
      | a | result     |
      | 1 | 2          |
      | 2 | 'a\|b\\n'  |
`;
  const cases = readFeature("f", feature).map(readCase);

  it("expand outlines after the background's steps", () => {
    expect(cases.map(({ name, graph }) => [name, graph])).toEqual([
      ["[1] adds 1 #1", "any graph"],
      ["[1] adds 2 #2", "any graph"],
    ]);
    expect(cases[0]?.questions[0]?.query).toBe("RETURN 1\n  + 1 AS x");
  });

  it("unescape cells before values", () => {
    expect(cases[1]?.questions[0]?.answer).toMatchObject({ rows: [[{ kind: "string", value: String.raw`a|b\n` }]] });
  });
});

describe("the judge", () => {
  const answer = (ordered: boolean) =>
    ({
      kind: "rows",
      columns: ["a"],
      rows: [[readValue("1")], [readValue("2")]],
      ordered,
      ignoreListOrder: false,
    }) as const;
  const outcome = (columns: string[], ...rows: string[]) =>
    ({ kind: "rows", columns, rows: rows.map((row) => [readValue(row)]) }) as const;

  it("looks at order only where it is asked for", () => {
    expect(judgeAnswer(answer(false), outcome(["a"], "2", "1"))).toBeUndefined();
    expect(judgeAnswer(answer(true), outcome(["a"], "2", "1"))).toMatch(/a row should be 1/);
  });

  it("tells columns, numbers of rows and kinds of numbers apart", () => {
    expect(judgeAnswer(answer(false), outcome(["b"], "1", "2"))).toMatch(/columns/);
    expect(judgeAnswer(answer(false), outcome(["a"], "1"))).toMatch(/2 rows/);
    expect(judgeAnswer(answer(false), outcome(["a"], "1", "2.0"))).toMatch(/float 2/);
    expect(judgeAnswer({ kind: "empty" }, outcome(["a"]))).toMatch(/empty/);
  });

  it("wants an error's type, phase and detail", () => {
    const wanted = { kind: "error", type: "SyntaxError", phase: "compile time", detail: "X" } as const;
    const raised = {
      kind: "error",
      code: "ClientError.Statement.InvalidSyntax",
      phase: "compile time",
      detail: "X",
      message: "",
    } as const;
    expect(judgeAnswer(wanted, raised)).toBeUndefined();
    expect(judgeAnswer(wanted, { ...raised, phase: "runtime" })).toBeDefined();
    expect(judgeAnswer(wanted, { ...raised, detail: "Y" })).toBeDefined();
    expect(judgeAnswer(wanted, { ...raised, code: "ClientError.Statement.InvalidType" })).toBeDefined();
    expect(judgeAnswer({ ...wanted, phase: "any time", detail: "*" }, { ...raised, phase: "runtime" })).toBeUndefined();
  });
});
