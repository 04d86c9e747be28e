import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ManagementError } from "../../protocol/management-error.ts";
import { checkFilter, matches, requiredValue } from "./evaluate-filter.ts";
import { parseFilter } from "./parse-filter.ts";

const entity = {
  displayName: "O'Hara & Co",
  accountEnabled: true,
  mail: null,
  age: 42,
  createdDateTime: "2026-11-20T12:00:00.000Z",
  identifierUris: ["api://orders", "https://orders.example"],
  api: { requestedAccessTokenVersion: 2 },
  appRoles: [{ value: "Reader", isEnabled: false }],
};

describe("matches", () => {
  test.each<[string, boolean]>([
    ["displayName eq 'O''Hara & Co'", true],
    ["displayName eq 'o''hara & CO'", true],
    ["displayName ne 'O''Hara & Co'", false],
    ["startswith(displayName,'o''h')", true],
    ["endsWith(displayName, 'CO')", true],
    ["contains(displayName,'x')", false],
    ["accountEnabled eq true", true],
    ["accountEnabled eq false", false],
    ["not accountEnabled eq false", true],
    ["not (accountEnabled eq true)", false],
    ["mail eq null", true],
    ["mail ne null", false],
    ["mail eq 'x'", false],
    ["mail eq 5", false],
    ["startswith(mail,'x')", false],
    ["mail/any(m:m eq 'x')", false],
    ["accountEnabled eq null", false],
    ["mail gt 'a'", false],
    ["age ge 42 and age lt 43", true],
    ["age in (1, 42)", true],
    ["displayName in ('a','b')", false],
    ["createdDateTime ge 2026-11-20T12:00:00Z", true],
    ["createdDateTime gt 2026-11-20T12:00:00Z", false],
    ["createdDateTime lt 2026-11-20T14:00:01+02:00", true],
    ["api/requestedAccessTokenVersion eq 2", true],
    ["identifierUris/any(u:u eq 'API://orders')", true],
    ["identifierUris/any(u:startswith(u,'http'))", true],
    ["identifierUris/any(u:u eq 'nothing')", false],
    ["identifierUris/any()", true],
    ["appRoles/any(r:r/value eq 'reader' and r/isEnabled eq false)", true],
    ["age eq 1 or age eq 2 and age eq 42", false],
    ["(age eq 42 or age eq 2) and accountEnabled eq true", true],
    ["age eq 42 or age eq 2 and age eq 3", true],
  ])("%s", (filter, expected) => {
    expect(matches(parseFilter(filter), entity)).toBe(expected);
  });

  test.each([
    "nothing eq 1",
    "api/nothing eq 1",
    "appRoles/any(r:r/nothing eq 1)",
    "__proto__ eq null",
    "constructor eq 1",
  ])("%s names a property that isn't there", (filter) => {
    expect(() => matches(parseFilter(filter), entity)).toThrow(ManagementError);
  });

  test.each([
    "age eq '42'",
    "age in (42, 'x')",
    "accountEnabled eq 'true'",
    "accountEnabled eq 1",
    "displayName eq 5",
    "displayName ne true",
    "startswith(accountEnabled,'t')",
    "displayName/any(d:d eq 'x')",
    "identifierUris/any(u:u eq 5)",
    "createdDateTime gt 'yesterday'",
    "createdDateTime gt 2026",
  ])("%s compares what can't be compared", (filter) => {
    expect(() => matches(parseFilter(filter), entity)).toThrow(ManagementError);
  });

  test("a part that decides nothing is judged all the same", () => {
    const filter = parseFilter("accountEnabled eq true or not (age eq 42 and displayName eq 5)");
    expect(matches(filter, entity)).toBe(true);
    expect(() => checkFilter(filter, entity)).toThrow(ManagementError);
  });
});

describe("parseFilter", () => {
  test.each([
    "",
    "   ",
    "displayName",
    "displayName eq",
    "displayName like 'x'",
    "displayName eq x",
    "createdDateTime gt 2026-11-20Z",
    "displayName eq 'x",
    "eq 'x'",
    "(age eq 1",
    "age eq 1)",
    "age eq 1 and",
    "age eq 1 age eq 2",
    "startswith(displayName)",
    "startswith('x',displayName)",
    "age in ()",
    "age in (1",
    "uris/any(x eq 1)",
    `${"(".repeat(60)}age eq 1${")".repeat(60)}`,
    `${"not ".repeat(60)}age eq 1`,
    `name eq '${"x".repeat(4000)}'`,
  ])("refuses %s", (filter) => {
    expect(() => parseFilter(filter)).toThrow(ManagementError);
  });

  test("any text is a filter or a refusal, in bounded time", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const outcome = attempt(() => parseFilter(text));
        expect(outcome instanceof ManagementError || "kind" in outcome).toBe(true);
      }),
    );
  });

  test("any text can be compared with", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (text) => {
        const filter = parseFilter(`name eq '${text.replaceAll("'", "''")}'`);
        expect(filter).toEqual({ kind: "comparison", operator: "eq", path: ["name"], value: text });
        expect(matches(filter, { name: text })).toBe(true);
      }),
    );
  });
});

test.each<[string, string | undefined]>([
  ["appId eq 'x'", "x"],
  ["appId eq 'x' and age eq 1", "x"],
  ["age eq 1 and (startswith(a,'b') and appId eq 'x')", "x"],
  ["appId eq 'x' or age eq 1", undefined],
  ["not (appId eq 'x')", undefined],
  ["appId ne 'x'", undefined],
  ["api/appId eq 'x'", undefined],
])("what %s requires", (filter, value) => {
  expect(requiredValue(parseFilter(filter), "appId")).toBe(value);
});

function attempt<Result>(action: () => Result): Result | Error {
  try {
    return action();
  } catch (error) {
    return error as Error;
  }
}
