import { type Diagnostic } from "@codemirror/lint";
import { findSyntaxErrors, type Mode, splitStatements, tokenize } from "@trefoil/cypher";
import { runStatement } from "../server/run-statement.ts";
import { type Application } from "../state/application.ts";

/** Asking the server about longer texts would cost more than it tells. */
const MAXIMUM_CHECKED_LENGTH = 20_000;
const MAXIMUM_CHECKED_STATEMENTS = 5;
const EXPLAIN = "EXPLAIN ";

/**
 * What is wrong with a text: syntax by the language's own parser; where that finds nothing the server is asked what it
 * thinks of the names and types, by an `EXPLAIN` that runs nothing.
 */
export async function findProblems(application: Application, text: string): Promise<readonly Diagnostic[]> {
  const { mode } = application.session.settings.value;
  if (/^\s*:/.test(text)) {
    return [];
  }
  const problems = syntaxProblems(text, mode);
  if (problems.length > 0 || !application.settings.value.checkWhileTyping || text.length > MAXIMUM_CHECKED_LENGTH) {
    return problems;
  }
  const statements = splitStatements(text, { mode }).slice(0, MAXIMUM_CHECKED_STATEMENTS);
  const found = await Promise.all(
    statements
      .filter((statement) => EXPLAINABLE.test(statement.text))
      .map(async (statement) => {
        try {
          const answer = await runStatement(application.server, { statement: EXPLAIN + statement.text });
          const place = (offset: number | undefined): readonly [number, number] =>
            wordAt(text, statement.offset + Math.max(0, (offset ?? 0) - EXPLAIN.length), mode);
          return [
            ...answer.errors.map((error) => problem(place(error.offset), "error", error.message)),
            ...answer.notifications.map(({ title, description, offset }) =>
              problem(place(offset), "warning", `${title}\n${description}`),
            ),
          ];
        } catch {
          return []; // no answer, no opinion
        }
      }),
  );
  return found.flat();
}

/** Statements that can be explained; schema commands and their like are left alone. */
const EXPLAINABLE =
  /^(?:MATCH|OPTIONAL|RETURN|WITH|UNWIND|MERGE|CALL|START|FOREACH|CREATE\s*(?:\(|UNIQUE\b|[A-Za-z_]\w*\s*=))/i;

export function syntaxProblems(text: string, mode: Mode): readonly Diagnostic[] {
  return splitStatements(text, { mode }).flatMap((statement) =>
    findSyntaxErrors(statement.text, { mode }).map(({ message, position }) =>
      problem(wordAt(text, statement.offset + (position?.offset ?? 0), mode), "error", message),
    ),
  );
}

function problem([from, to]: readonly [number, number], severity: "error" | "warning", message: string): Diagnostic {
  return { from, to, severity, message };
}

/** The word or sign at an offset; the last one where the text ends too early. */
function wordAt(text: string, offset: number, mode: Mode): readonly [from: number, to: number] {
  const tokens = tokenize(text, { mode });
  const token =
    tokens.find(({ start, end }) => start <= offset && offset < end) ?? tokens.findLast(({ end }) => end <= offset);
  return token === undefined ? [0, text.length] : [token.start, token.end];
}
