import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findSharedFolder } from "./shared-folder.ts";

/** A statement that was sent to a real 2.3 server, and what it said. */
export interface GoldenStatement {
  readonly text: string;
  readonly code: string | undefined;
  readonly message: string;
  /** Is the message to be met word for word? */
  readonly isExact: boolean;
}

export const GOLDEN_HINT = "the recorded answers are missing: name their folder in TREFOIL_GOLDEN";

interface Exchange {
  readonly request: { readonly path: string; readonly body?: string };
  readonly compare?: { readonly exactMessage?: boolean; readonly anyError?: boolean };
  readonly response: { readonly body?: unknown };
}

interface Answer {
  readonly results?: readonly unknown[];
  readonly errors?: readonly { readonly code: string; readonly message: string }[];
}

/** Statements of the transactional endpoint with their outcome; empty where the recordings are missing. */
export function readGoldenStatements(): readonly GoldenStatement[] {
  const folder = findSharedFolder("TREFOIL_GOLDEN", "golden");
  const found = new Map<string, GoldenStatement>();
  for (const file of folder === undefined ? [] : readdirSync(folder)) {
    if (file.endsWith(".jsonl")) {
      for (const line of readFileSync(join(folder ?? "", file), "utf8").split("\n")) {
        const exchanges = line === "" ? [] : (JSON.parse(line) as { exchanges: readonly Exchange[] }).exchanges;
        for (const statement of exchanges.flatMap(statementsOf)) {
          found.set(`${statement.text}\n${statement.code}`, statement);
        }
      }
    }
  }
  return [...found.values()];
}

function statementsOf({ request, compare, response }: Exchange): readonly GoldenStatement[] {
  const answer = response.body as Answer | undefined;
  const statements = request.path.includes("/transaction") ? sentStatements(request.body) : [];
  if (compare?.anyError === true || answer?.results === undefined) {
    return [];
  }
  const done = answer.results.length;
  const error = answer.errors?.[0];
  // Results of the statements before the failing one are there; it may have left rows of its own as well.
  const failing = error === undefined ? -1 : Math.min(done, statements.length - 1);
  return statements.slice(0, error === undefined ? done : failing + 1).map((text, index) => ({
    text,
    code: index === failing ? error?.code.replace(/^\w+\./, "") : undefined,
    message: index === failing ? (error?.message ?? "") : "",
    isExact: compare?.exactMessage === true,
  }));
}

function sentStatements(body: string | undefined): readonly string[] {
  try {
    const sent = JSON.parse(body ?? "") as { statements?: readonly { statement?: unknown }[] };
    return (sent.statements ?? []).map(({ statement }) => statement).filter((text) => typeof text === "string");
  } catch {
    return [];
  }
}
