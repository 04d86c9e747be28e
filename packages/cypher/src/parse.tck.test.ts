import { describe, expect, it } from "vitest";
import { QueryError } from "./errors.ts";
import { parseStatement } from "./parse.ts";
import { readTckStatements, TCK_HINT, type TckStatement } from "./testing/tck-statements.ts";

/** Mistakes that can be seen without knowing what any name means; all others are the binder's to find. */
const SYNTACTIC = new Set([
  "UnexpectedSyntax",
  "InvalidNumberLiteral",
  "IntegerOverflow",
  "FloatingPointOverflow",
  "InvalidUnicodeLiteral",
  "InvalidUnicodeCharacter",
  "InvalidRelationshipPattern",
]);

function detailOf(statement: TckStatement): string | undefined {
  try {
    parseStatement(statement.text, { mode: "modern" });
    return undefined;
  } catch (error) {
    return error instanceof QueryError ? error.tckDetail : `no QueryError: ${String(error)}`;
  }
}

const statements = readTckStatements();

describe.skipIf(statements.length === 0)(
  `openCypher TCK (${statements.length === 0 ? TCK_HINT : "statements"})`,
  () => {
    it("has all its statements", () => {
      expect(statements.length).toBeGreaterThan(4500);
    });

    it("fails with the detail asked for exactly where the mistake is one of syntax", () => {
      const wrong = statements
        .map((statement) => ({ ...statement, got: detailOf(statement) }))
        .filter(({ errorDetail, got }) => got !== (SYNTACTIC.has(errorDetail ?? "") ? errorDetail : undefined));
      expect(wrong).toEqual([]);
    });
  },
);
