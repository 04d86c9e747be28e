import { type StatementBody } from "../ast/statement.ts";
import { QueryError } from "../errors.ts";
import { type Cursor } from "./cursor.ts";

/*
 * `CYPHER 1.9` is the language before labels. It is read by 2.3's grammar, and what came later is refused (measured: the
 * real server's messages there are those of a parser generator, except the first).
 */

/** Nodes of the tree that 1.9 had no syntax for. */
const LATER: ReadonlySet<string> = new Set([
  "LabelName",
  "LabelPredicate",
  "Merge",
  "Unwind",
  "LoadCsv",
  "UsingIndex",
  "UsingScan",
  "UsingJoin",
  "PeriodicCommit",
  "CreateIndex",
  "DropIndex",
  "CreateConstraint",
  "DropConstraint",
]);

/** @throws InvalidSyntax unless the statement begins with START or CREATE */
export function checkOldestStart(cursor: Cursor): void {
  if (!cursor.isWord("START") && !cursor.isWord("CREATE")) {
    const statement = cursor.text.slice(cursor.position().offset);
    throw invalid(`expected START or CREATE\n"${statement}"\n ^`, cursor);
  }
}

/** @throws InvalidSyntax for labels and whatever else came with 2.0 and later */
export function checkOldestSyntax(body: StatementBody, cursor: Cursor): void {
  if (hasLater(body)) {
    throw invalid("Labels, and clauses that came with them, are not known in Cypher 1.9", cursor);
  }
}

function hasLater(node: unknown): boolean {
  if (typeof node !== "object" || node === null) {
    return false;
  }
  const isLater =
    "kind" in node &&
    (LATER.has(String(node.kind)) || (node.kind === "Match" && "optional" in node && node.optional === true));
  return isLater || Object.values(node).some(hasLater);
}

function invalid(message: string, cursor: Cursor): QueryError {
  return new QueryError("ClientError.Statement.InvalidSyntax", message, {
    phase: "compile time",
    position: cursor.position(),
    tckDetail: "UnexpectedSyntax",
  });
}
