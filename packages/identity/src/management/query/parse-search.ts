import { ManagementError } from "../../protocol/management-error.ts";
import { type Filter } from "./filter.ts";

const LENGTH_LIMIT = 1_000;
/** Words that join, parentheses, and clauses in quotes: a quote inside one has a backslash before it. */
const TOKEN = /\s*(?:(AND|OR|[()])|"((?:[^"\\]|\\.)*)")/y;
const CLAUSE = /^([A-Za-z][\w/]*):(.+)$/s;

/**
 * Reads a `$search` of directory objects as the filter that it comes to: `"property:text"` finds what contains the text,
 * clauses are joined by `AND` and `OR`, of which `AND` binds more tightly.
 *
 * @throws ManagementError naming the place where it stops making sense
 */
export function parseSearch(text: string): Filter {
  if (text.length > LENGTH_LIMIT) {
    throw new ManagementError("Request_UnsupportedQuery", `A search has at most ${LENGTH_LIMIT} characters`);
  }
  const tokens = tokenize(text);
  const filter = parseOr(tokens);
  if (tokens.length > 0) {
    throw invalid();
  }
  return filter;
}

/** A word that joins, a parenthesis, or what a clause says. */
type Token = { readonly mark: string } | { readonly clause: string };

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (match === null) {
      throw invalid();
    }
    const [, mark, clause = ""] = match;
    tokens.push(mark === undefined ? { clause: clause.replaceAll(/\\(.)/gs, "$1") } : { mark });
  }
  return tokens;
}

function parseOr(tokens: Token[]): Filter {
  let left = parseAnd(tokens);
  while (take(tokens, "OR")) {
    left = { kind: "or", left, right: parseAnd(tokens) };
  }
  return left;
}

function parseAnd(tokens: Token[]): Filter {
  let left = parseClause(tokens);
  while (take(tokens, "AND")) {
    left = { kind: "and", left, right: parseClause(tokens) };
  }
  return left;
}

function parseClause(tokens: Token[]): Filter {
  if (take(tokens, "(")) {
    const inner = parseOr(tokens);
    if (!take(tokens, ")")) {
      throw invalid();
    }
    return inner;
  }
  const token = tokens.shift();
  const [, property, text] = token !== undefined && "clause" in token ? (CLAUSE.exec(token.clause) ?? []) : [];
  if (property === undefined || text === undefined) {
    throw invalid();
  }
  return { kind: "function", name: "contains", path: property.split("/"), text };
}

function take(tokens: Token[], mark: string): boolean {
  const [first] = tokens;
  const isThere = first !== undefined && "mark" in first && first.mark === mark;
  if (isThere) {
    tokens.shift();
  }
  return isThere;
}

function invalid(): ManagementError {
  return new ManagementError(
    "Request_UnsupportedQuery",
    `'$search' takes "property:text" in quotes, joined by AND and OR`,
  );
}
