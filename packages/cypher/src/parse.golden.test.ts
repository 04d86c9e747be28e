import { describe, expect, it } from "vitest";
import { QueryError } from "./errors.ts";
import { parseStatement } from "./parse.ts";
import { GOLDEN_HINT, readGoldenStatements } from "./testing/golden-statements.ts";

/** How the messages begin by which the 2.3 server refuses a text before it looks at names and types. */
const SYNTACTIC =
  /^(Invalid input '.'|Unexpected end|invalid literal|integer is too|Question mark|This syntax|Expected exactly|extract\()/;

function failureOf(text: string): QueryError | undefined {
  try {
    parseStatement(text, { mode: "2.3" });
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) {
      return error;
    }
    throw error;
  }
}

const statements = readGoldenStatements();

describe.skipIf(statements.length === 0)(
  `answers of a real 2.3 server (${statements.length === 0 ? GOLDEN_HINT : "recorded"})`,
  () => {
    const syntactic = statements.filter(({ message }) => SYNTACTIC.test(message));

    it("parses what the server parsed", () => {
      const refused = statements
        .filter(({ message }) => !SYNTACTIC.test(message))
        .map(({ text }) => ({ text, message: failureOf(text)?.message }))
        .filter(({ message }) => message !== undefined);
      expect(refused).toEqual([]);
    });

    it("refuses what the server refused, with its code, and its words where they count", () => {
      expect(syntactic.length).toBeGreaterThan(20);
      const refusals = syntactic.map(({ text, message, isExact }) => {
        const failure = failureOf(text);
        return { text, code: failure?.code, message: isExact ? failure?.message : message };
      });
      expect(refusals).toEqual(syntactic.map(({ text, code, message }) => ({ text, code, message })));
    });
  },
);
