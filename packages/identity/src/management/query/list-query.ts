import { ManagementError } from "../../protocol/management-error.ts";
import { type Filter } from "./filter.ts";
import { parseFilter } from "./parse-filter.ts";
import { parseSearch } from "./parse-search.ts";

/** What a request wants of a list: the `$…` options of its address. */
export interface ListQuery {
  /** What `$filter` and `$search` say. */
  readonly filter: Filter | undefined;
  /** Names of members to show; undefined for all. */
  readonly select: readonly string[] | undefined;
  readonly top: number;
  readonly isCounted: boolean;
  /** The first property that tells two entities apart decides; empty for the list's own order. */
  readonly orderBy: readonly OrderBy[];
  /** Where the page before ended. */
  readonly after: readonly string[] | undefined;
}

export interface OrderBy {
  readonly property: string;
  readonly isDescending: boolean;
}

const DEFAULT_TOP = 100;
const LARGEST_TOP = 999;

const OPTIONS: ReadonlySet<string> = new Set([
  "$filter",
  "$search",
  "$select",
  "$top",
  "$count",
  "$orderby",
  "$skiptoken",
  "$format",
]);

/** @throws ManagementError naming the option that is unknown, repeated or makes no sense */
export function readListQuery(query: unknown): ListQuery {
  const options = readOptions(query);
  const skipToken = options.get("$skiptoken");
  const orderBy = options.get("$orderby");
  return {
    filter: readCondition(options.get("$filter"), options.get("$search")),
    select: readSelect(options.get("$select")),
    top: readTop(options.get("$top")),
    isCounted: readCount(options.get("$count")),
    orderBy: orderBy?.split(",").map(readOrderBy) ?? [],
    after: skipToken === undefined ? undefined : readSkipToken(skipToken),
  };
}

/** Opaque to whoever gets it. */
export function skipTokenOf(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

/** Options may be written without the dollar sign's percent-encoding or case. Others than `$…` are nobody's business. */
function readOptions(query: unknown): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const [name, value] of Object.entries(query as Readonly<Record<string, unknown>>)) {
    const option = name.toLowerCase();
    if (!option.startsWith("$")) {
      continue;
    }
    if (!OPTIONS.has(option)) {
      throw new ManagementError("Request_UnsupportedQuery", `The query option '${name}' is not supported`);
    }
    if (typeof value !== "string" || options.has(option)) {
      throw new ManagementError("Request_UnsupportedQuery", `The query option '${name}' is repeated`);
    }
    options.set(option, value);
  }
  return options;
}

function readCondition(filterText: string | undefined, searchText: string | undefined): Filter | undefined {
  const filter = filterText === undefined ? undefined : parseFilter(filterText);
  const search = searchText === undefined ? undefined : parseSearch(searchText);
  return filter === undefined || search === undefined
    ? (filter ?? search)
    : { kind: "and", left: filter, right: search };
}

/** @throws ManagementError for a name that is none */
function readSelect(text: string | undefined): readonly string[] | undefined {
  const names = text?.split(",").map((name) => name.trim());
  if (names?.includes("") === true) {
    throw new ManagementError("Request_UnsupportedQuery", "'$select' takes names of properties, separated by commas");
  }
  return names?.includes("*") === true ? undefined : names;
}

function readTop(text: string | undefined): number {
  const top = text === undefined ? DEFAULT_TOP : /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(top >= 1 && top <= LARGEST_TOP)) {
    throw new ManagementError("Request_UnsupportedQuery", `'$top' must be from 1 to ${LARGEST_TOP}`);
  }
  return top;
}

function readCount(text: string | undefined): boolean {
  if (text !== undefined && text !== "true" && text !== "false") {
    throw new ManagementError("Request_UnsupportedQuery", "'$count' must be true or false");
  }
  return text === "true";
}

function readOrderBy(text: string): OrderBy {
  const match = /^(\w+)(?:\s+(asc|desc))?$/i.exec(text.trim());
  if (match === null) {
    throw new ManagementError("Request_UnsupportedQuery", "'$orderby' takes properties, each followed by asc or desc");
  }
  return { property: match[1] ?? "", isDescending: match[2]?.toLowerCase() === "desc" };
}

function readSkipToken(text: string): readonly string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    const isKey = Array.isArray(key) && key.length > 0;
    if (isKey && key.every((part) => typeof part === "string" && !part.includes("\0"))) {
      return key as readonly string[];
    }
  } catch {
    // Falls through: whatever it is, it isn't ours.
  }
  throw strangeSkipToken();
}

/** The row behind the one whose position in the list a token names. @throws ManagementError when it names none */
export function positionAfter(key: readonly string[] | undefined): number {
  if (key === undefined) {
    return 0;
  }
  const [position = "", ...more] = key;
  if (!/^\d{1,9}$/.test(position) || more.length > 0) {
    throw strangeSkipToken();
  }
  return Number(position) + 1;
}

function strangeSkipToken(): ManagementError {
  return new ManagementError("Request_UnsupportedQuery", "'$skiptoken' is not one that was given");
}
