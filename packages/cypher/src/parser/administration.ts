import { type ShowCommand, type ShowSubject, type TerminateTransactions } from "../ast/commands.ts";
import { type Expression } from "../ast/expressions.ts";
import { type Cursor } from "./cursor.ts";
import { findWhere, projection } from "./projections.ts";

/** `SHOW …` and `TERMINATE TRANSACTIONS …`, if the cursor is at one. */
export function administrationCommand(cursor: Cursor): ShowCommand | TerminateTransactions | undefined {
  if (!cursor.isModern) {
    return undefined;
  }
  if (cursor.isWord("SHOW")) {
    return show(cursor);
  }
  return cursor.isWord("TERMINATE") ? terminate(cursor) : undefined;
}

const SUBJECTS: ReadonlyMap<string, ShowSubject> = new Map<string, ShowSubject>([
  ["INDEX", "indexes"],
  ["INDEXES", "indexes"],
  ["CONSTRAINT", "constraints"],
  ["CONSTRAINTS", "constraints"],
  ["PROCEDURE", "procedures"],
  ["PROCEDURES", "procedures"],
  ["FUNCTION", "functions"],
  ["FUNCTIONS", "functions"],
  ["TRANSACTION", "transactions"],
  ["TRANSACTIONS", "transactions"],
  ["SETTING", "settings"],
  ["SETTINGS", "settings"],
  ["DATABASE", "databases"],
  ["DATABASES", "databases"],
  ["USER", "users"],
  ["USERS", "users"],
]);

/** The words that may stand before each subject. */
const FILTERS: Readonly<Record<ShowSubject, readonly string[]>> = {
  indexes: ["ALL", "RANGE", "TEXT", "POINT", "LOOKUP", "FULLTEXT", "VECTOR", "BTREE"],
  constraints: [
    "ALL",
    "UNIQUE",
    "UNIQUENESS",
    "NODE UNIQUE",
    "NODE UNIQUENESS",
    "RELATIONSHIP UNIQUE",
    "RELATIONSHIP UNIQUENESS",
    "REL UNIQUENESS",
    "KEY",
    "NODE KEY",
    "RELATIONSHIP KEY",
    "REL KEY",
    "EXIST",
    "EXISTENCE",
    "NODE EXIST",
    "NODE EXISTENCE",
    "RELATIONSHIP EXIST",
    "RELATIONSHIP EXISTENCE",
    "REL EXIST",
    "REL EXISTENCE",
    "PROPERTY EXISTENCE",
    "NODE PROPERTY EXISTENCE",
    "RELATIONSHIP PROPERTY EXISTENCE",
    "PROPERTY TYPE",
    "NODE PROPERTY TYPE",
    "RELATIONSHIP PROPERTY TYPE",
  ],
  procedures: [],
  functions: ["ALL", "BUILT IN", "USER DEFINED"],
  transactions: [],
  settings: [],
  databases: ["DEFAULT", "HOME"],
  users: ["CURRENT", "ALL"],
};

function show(cursor: Cursor): ShowCommand {
  const position = cursor.position();
  cursor.expectWord("SHOW");
  const words: string[] = [];
  let subject: ShowSubject | undefined;
  while (subject === undefined) {
    if (cursor.kind !== "word") {
      cursor.expected("what to show");
      cursor.fail();
    }
    const word = cursor.tokenText.toUpperCase();
    subject = SUBJECTS.get(word);
    if (subject === undefined) {
      words.push(word);
      if (!Object.values(FILTERS).some((filters) => filters.some((filter) => startsWith(filter, words)))) {
        cursor.expected("what to show");
        cursor.fail();
      }
    } else if (words.length > 0 && !FILTERS[subject].includes(words.join(" "))) {
      cursor.fail();
    }
    cursor.advance();
  }
  const filter = words.length === 0 ? undefined : words.join(" ");
  const executableBy = subject === "procedures" || subject === "functions" ? findExecutable(cursor) : undefined;
  return { kind: "ShowCommand", position, subject, filter, ids: findIds(cursor), executableBy, ...outcome(cursor) };
}

function startsWith(filter: string, words: readonly string[]): boolean {
  return `${filter} `.startsWith(`${words.join(" ")} `);
}

function findExecutable(cursor: Cursor): string | undefined {
  if (!cursor.acceptWord("EXECUTABLE")) {
    return undefined;
  }
  if (!cursor.acceptWord("BY")) {
    return "";
  }
  if (cursor.isWord("CURRENT") && cursor.isWord("USER", 1)) {
    cursor.acceptWords("CURRENT", "USER");
    return "";
  }
  return cursor.name("a user name");
}

function terminate(cursor: Cursor): TerminateTransactions {
  const position = cursor.position();
  cursor.expectWord("TERMINATE");
  cursor.expectOneOf(["TRANSACTIONS", "TRANSACTION"]);
  const ids = findIds(cursor);
  if (ids.length === 0) {
    cursor.expected("a transaction id");
    cursor.fail();
  }
  return { kind: "TerminateTransactions", position, ids, ...outcome(cursor) };
}

/** Ids are strings, parameters or any expression; the words that continue the command end them. */
function findIds(cursor: Cursor): readonly Expression[] {
  const ids: Expression[] = [];
  if (cursor.isAnyWord(["YIELD", "WHERE", "RETURN"]) || cursor.kind === "end" || cursor.kind === ";") {
    return ids;
  }
  do {
    ids.push(cursor.rules.expression(cursor));
  } while (cursor.accept(","));
  return ids;
}

function outcome(cursor: Cursor): Pick<ShowCommand, "yield" | "where" | "return"> {
  const isYielding = cursor.acceptWord("YIELD");
  const yielded = isYielding ? projection(cursor) : undefined;
  const where = findWhere(cursor);
  const returned = isYielding && cursor.acceptWord("RETURN") ? projection(cursor) : undefined;
  return { yield: yielded, where, return: returned };
}
