import { describe, expect, it } from "vitest";
import { GraphRequestError } from "../errors.ts";
import { readStatements, type StatementRequest } from "./statements-request.ts";

/** The statements that were handed out, and the error that ended them. */
function read(body: string | Buffer): { statements: StatementRequest[]; code?: string; message?: string } {
  const statements: StatementRequest[] = [];
  try {
    for (const statement of readStatements(Buffer.from(body))) {
      statements.push(statement);
    }
    return { statements };
  } catch (error) {
    if (error instanceof GraphRequestError) {
      return { statements, code: error.code, message: error.message };
    }
    throw error;
  }
}

describe("readStatements", () => {
  it("reads every member, in any order and ignoring unknown ones", () => {
    const body = `{"statements":[{"x":{"y":[1]},"includeStats":true,"resultDataContents":["ROW","Graph","rEST","row"],
      "parameters":{"p":9007199254740993},"statement":"RETURN {p}"}]}`;
    expect(read(body).statements).toEqual([
      {
        statement: "RETURN {p}",
        parameters: new Map([["p", 9007199254740993n]]),
        formats: ["row", "graph", "rest", "row"],
        includeStats: true,
      },
    ]);
  });

  it.each(["", "  ", '{"statements":[]}', '{"statements":[]} xxx'])("%j has no statements", (body) => {
    expect(read(body)).toEqual({ statements: [] });
  });

  it("hands out what stands before a mistake", () => {
    const { statements, message } = read('{"statements":[{"statement":"CREATE (n)"},{"statement":');
    expect(statements.map(({ statement }) => statement)).toEqual(["CREATE (n)"]);
    expect(message).toMatch(
      /^Unable to deserialize request: Unexpected end-of-input within\/between OBJECT entries\n at \[Source: /,
    );
  });

  it.each([
    ["{}", "[START_OBJECT, END_OBJECT, null]"],
    ["[]", "[START_ARRAY, END_ARRAY, null]"],
    ["[1,2]", "[START_ARRAY, VALUE_NUMBER_INT, VALUE_NUMBER_INT]"],
    ['[{"a":1}]', "[START_ARRAY, START_OBJECT, FIELD_NAME]"],
    ['"x"', "[VALUE_STRING, null, null]"],
    ["1", "[VALUE_NUMBER_INT, null, null]"],
    ["1.5", "[VALUE_NUMBER_FLOAT, null, null]"],
    ['{"statements":null}', "[START_OBJECT, FIELD_NAME, VALUE_NULL]"],
    ['{"statements":{}}', "[START_OBJECT, FIELD_NAME, START_OBJECT]"],
    ['{"statements":"x"}', "[START_OBJECT, FIELD_NAME, VALUE_STRING]"],
  ])("%s has the wrong shape", (body, found) => {
    expect(read(body).message).toBe(
      `Unable to deserialize request. Expected [START_OBJECT, FIELD_NAME, START_ARRAY], found ${found}.`,
    );
  });

  it("names the key that stands in the place of statements", () => {
    expect(read('{"foo":1,"statements":[]}').message).toBe(
      "Unable to deserialize request. Expected first field to be 'statements', but was 'foo'.",
    );
  });

  it.each([
    '{"statements":[5]}',
    '{"statements":[null]}',
    '{"statements":[{}]}',
    '{"statements":[{"statement":null}]}',
  ])("%s has a statement without text", (body) => {
    expect(read(body)).toEqual({
      statements: [],
      code: "ClientError.Request.InvalidFormat",
      message: "No statement provided.",
    });
  });

  it.each([
    ['"parameters":[1]', /Can not deserialize instance of java\.util\.LinkedHashMap out of START_ARRAY token/],
    ['"resultDataContents":"row"', /Can not deserialize instance of java\.util\.ArrayList out of VALUE_STRING token/],
    ['"includeStats":null', /Current token \(VALUE_NULL\) not of boolean type/],
  ])("%s is of the wrong kind", (member, message) => {
    const result = read(`{"statements":[{"statement":"RETURN 1",${member}}]}`);
    expect(result.code).toBe("ClientError.Request.InvalidFormat");
    expect(result.message).toMatch(message);
  });

  it("refuses unknown formats under the code that clients know", () => {
    expect(read('{"statements":[{"statement":"RETURN 1","resultDataContents":["nope"]}]}')).toMatchObject({
      code: "DatabaseError.General.UnknownFailure",
      message: "Invalid result data content specifier: nope",
    });
  });

  it("refuses what is not UTF-8", () => {
    expect(read(Buffer.from([0x7b, 0x22, 0xff])).message).toMatch(/^Unable to deserialize request: Invalid UTF-8/);
  });
});
