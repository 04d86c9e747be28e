import { QueryError } from "../errors.ts";
import { lex } from "../lexer.ts";
import { openStatement, type ParseOptions, readToEnd } from "../parse.ts";

/** More are no help to a reader. */
const MAXIMUM_ERRORS = 20;

/** Words that begin a clause wherever they stand between brackets. */
const RESUMING = new Set(
  "MATCH OPTIONAL WITH UNWIND RETURN CREATE MERGE SET REMOVE DELETE DETACH FOREACH CALL LOAD".split(" "),
);

/**
 * All syntax errors of a text, in order, for an editor: after an error the parser goes on at the next clause. A text
 * without errors gives an empty list, and so does an empty text.
 */
export function findSyntaxErrors(text: string, options: ParseOptions): readonly QueryError[] {
  const errors: QueryError[] = [];
  const resumptions = findResumptions(text, options);
  let offset: number | undefined = 0;
  while (offset !== undefined && errors.length < MAXIMUM_ERRORS) {
    const error = errorFrom(text, options, offset);
    if (error === undefined) {
      break;
    }
    errors.push(error);
    const failedAt: number = error.position?.offset ?? text.length;
    offset = resumptions.find((place) => place > failedAt);
  }
  return errors;
}

function errorFrom(text: string, options: ParseOptions, offset: number): QueryError | undefined {
  try {
    const { cursor } = openStatement(text, options, offset);
    if (cursor.kind !== "end") {
      readToEnd(cursor);
    }
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) {
      return error;
    }
    throw error;
  }
}

/** Offsets of the clauses that don't stand in brackets. */
function findResumptions(text: string, options: ParseOptions): readonly number[] {
  const { kinds, starts, ends } = lex(text, options.mode);
  const places: number[] = [];
  let previousWord = "";
  for (const [index, kind] of kinds.entries()) {
    const word = kind === "word" ? text.slice(starts[index], ends[index]).toUpperCase() : "";
    const continues = previousWord === "OPTIONAL" || previousWord === "DETACH" || previousWord === "ON";
    const isOperator = previousWord === "STARTS" || previousWord === "ENDS";
    if (RESUMING.has(word) && !continues && !isOperator) {
      places.push(starts[index] ?? 0);
    }
    previousWord = word;
  }
  return places;
}
