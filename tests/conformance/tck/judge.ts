import { type Answer } from "./expectation.ts";
import { type ObservedGraph, type TckOutcome } from "./target.ts";
import { canonicalText, type TckValue } from "./tck-value.ts";

/** The status codes that stand for the TCK's error types (reference tck.md). */
const CODES_BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  SyntaxError: ["ClientError.Statement.InvalidSyntax"],
  SemanticError: ["ClientError.Statement.InvalidSemantics"],
  TypeError: ["ClientError.Statement.InvalidType"],
  ArgumentError: ["ClientError.Statement.InvalidArguments"],
  ArithmeticError: ["ClientError.Statement.ArithmeticError"],
  EntityNotFound: ["ClientError.Statement.EntityNotFound"],
  ParameterMissing: ["ClientError.Statement.ParameterMissing"],
  PropertyNotFound: ["ClientError.Statement.NoSuchProperty"],
  LabelNotFound: ["ClientError.Statement.NoSuchLabel"],
  ConstraintVerificationFailed: ["ClientError.Schema.ConstraintViolation"],
  ProcedureError: ["ClientError.Procedure.ProcedureNotFound", "ClientError.Procedure.ProcedureCallFailed"],
};

/** What is wrong with an answer, in one line; `undefined` when nothing is. */
export function judgeAnswer(expected: Answer, actual: TckOutcome): string | undefined {
  if (expected.kind === "error") {
    return judgeError(expected, actual);
  }
  if (actual.kind === "error") {
    return `raised ${actual.code} at ${actual.phase} (${actual.detail ?? "no detail"}): ${actual.message.split("\n")[0]}`;
  }
  if (expected.kind === "empty") {
    return actual.columns.length + actual.rows.length === 0
      ? undefined
      : `should be empty, but has ${actual.columns.length} columns and ${actual.rows.length} rows`;
  }
  return differingColumns(expected.columns, actual.columns) ?? judgeRows(expected, actual.rows);
}

/** As {@link judgeAnswer}, for the changes that a statement made to the graph. */
export function judgeSideEffects(
  expected: ReadonlyMap<string, number>,
  before: ObservedGraph,
  after: ObservedGraph,
): string | undefined {
  const wrong = SIDES.flatMap((side) => {
    const plus = countMissing(after[side], before[side]);
    const minus = countMissing(before[side], after[side]);
    return [
      difference(`+${side}`, expected.get(`+${side}`) ?? 0, plus),
      difference(`-${side}`, expected.get(`-${side}`) ?? 0, minus),
    ];
  }).filter((text) => text !== undefined);
  return wrong.length === 0 ? undefined : `side effects: ${wrong.join(", ")}`;
}

/** A statement that failed must leave the graph as it was. */
export function judgeUnchanged(before: ObservedGraph, after: ObservedGraph): string | undefined {
  const changed = [...SIDES, "nodeLabels" as const].filter(
    (side) => countMissing(before[side], after[side]) + countMissing(after[side], before[side]) > 0,
  );
  return changed.length === 0 ? undefined : `the failed statement changed ${changed.join(", ")}`;
}

const SIDES = ["nodes", "relationships", "labels", "properties"] as const;

function countMissing(of: ReadonlySet<string>, from: ReadonlySet<string>): number {
  let count = 0;
  for (const element of of) {
    count += from.has(element) ? 0 : 1;
  }
  return count;
}

function difference(name: string, expected: number, actual: number): string | undefined {
  return expected === actual ? undefined : `${name} should be ${expected} but is ${actual}`;
}

function judgeError(expected: Answer & { kind: "error" }, actual: TckOutcome): string | undefined {
  const wanted = `${expected.type} at ${expected.phase}: ${expected.detail}`;
  if (actual.kind === "rows") {
    return `should raise ${wanted}, but gave ${actual.rows.length} rows`;
  }
  const codes = CODES_BY_TYPE[expected.type];
  const fits =
    codes !== undefined &&
    codes.includes(actual.code) &&
    (expected.phase === "any time" || expected.phase === actual.phase) &&
    (expected.detail === "*" || expected.detail === actual.detail);
  return fits
    ? undefined
    : `should raise ${wanted}, but raised ${actual.code} at ${actual.phase} (${actual.detail ?? "no detail"}): ${actual.message.split("\n")[0]}`;
}

function differingColumns(expected: readonly string[], actual: readonly string[]): string | undefined {
  return expected.length === actual.length && expected.every((name, index) => name === actual[index])
    ? undefined
    : `columns should be ${JSON.stringify(expected)} but are ${JSON.stringify(actual)}`;
}

function judgeRows(expected: Answer & { kind: "rows" }, actual: readonly (readonly TckValue[])[]): string | undefined {
  const text = (row: readonly TckValue[]): string =>
    row.map((value) => canonicalText(value, expected.ignoreListOrder)).join(" | ");
  const wanted = expected.rows.map(text);
  const given = actual.map(text);
  if (!expected.ordered) {
    wanted.sort();
    given.sort();
  }
  if (wanted.length !== given.length) {
    return `should have ${wanted.length} rows but has ${given.length}: ${given.slice(0, 3).join(" ; ")}`;
  }
  const at = wanted.findIndex((row, index) => row !== given[index]);
  return at === -1 ? undefined : `a row should be ${wanted[at]} but is ${given[at]}`;
}
