import { type Position, QueryError } from "./errors.ts";

/**
 * An error of a statement's text as users of the 2.x interface know it: message, place, the line and a caret below.
 *
 *     Invalid input '2': expected ',' or ']' (line 1, column 11 (offset: 10))
 *     "RETURN [1 2]"
 *                ^
 *
 * For everything found at compile time: the parser raises it, and so does whoever checks names and types.
 *
 * @param text       the whole statement; of several lines only the one in question is shown
 * @param tckDetail  the openCypher TCK's word for the mistake
 * @source           reference graph-http §11
 */
export function syntaxError(text: string, position: Position, message: string, tckDetail?: string): QueryError {
  return new QueryError("ClientError.Statement.InvalidSyntax", renderWithPosition(text, position, message), {
    phase: "compile time",
    position,
    tckDetail,
  });
}

/** `message` followed by the place, the line of the statement and a caret under the place. */
export function renderWithPosition(text: string, position: Position, message: string): string {
  const lineStart = position.offset - (position.column - 1);
  const newline = text.indexOf("\n", lineStart);
  const line = text.slice(lineStart, newline < 0 ? text.length : newline).replace(/\r$/, "");
  const place = `(line ${position.line}, column ${position.column} (offset: ${position.offset}))`;
  return `${message} ${place}\n"${line}"\n${" ".repeat(position.column)}^`;
}

/** `a`, `a or b`, `a, b or c`. */
export function joinAlternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}
