import { ManagementError } from "../../protocol/management-error.ts";
import { type Filter } from "./filter.ts";
import { parseFilter } from "./parse-filter.ts";

/** What a request wants of a list: the `$…` options of its address. */
export interface ListQuery {
  readonly filter: Filter | undefined;
  /** Names of members to show; undefined for all. */
  readonly select: readonly string[] | undefined;
  readonly top: number;
  readonly isCounted: boolean;
  readonly orderBy: OrderBy | undefined;
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
  const filter = options.get("$filter");
  const skipToken = options.get("$skiptoken");
  const orderBy = options.get("$orderby");
  return {
    filter: filter === undefined ? undefined : parseFilter(filter),
    select: readSelect(options.get("$select")),
    top: readTop(options.get("$top")),
    isCounted: readCount(options.get("$count")),
    orderBy: orderBy === undefined ? undefined : readOrderBy(orderBy),
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

function readSelect(text: string | undefined): readonly string[] | undefined {
  const names = text?.split(",").map((name) => name.trim());
  return names === undefined || names.includes("*") ? undefined : names.filter((name) => name !== "");
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
    throw new ManagementError("Request_UnsupportedQuery", "'$orderby' takes one property, followed by asc or desc");
  }
  return { property: match[1] ?? "", isDescending: match[2]?.toLowerCase() === "desc" };
}

function readSkipToken(text: string): readonly string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (Array.isArray(key) && key.every((part) => typeof part === "string" && !part.includes("\0"))) {
      return key as readonly string[];
    }
  } catch {
    // Falls through: whatever it is, it isn't ours.
  }
  throw new ManagementError("Request_UnsupportedQuery", "'$skiptoken' is not one that was given");
}
