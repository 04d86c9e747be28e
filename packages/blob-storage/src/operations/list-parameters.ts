import { invalidQuery, StorageError } from "../errors/storage-error.ts";
import { type StorageRequest } from "../request/storage-request.ts";

/** What every listing takes. */
export interface ListParameters {
  readonly prefix: string;
  /** As sent, for the answer. */
  readonly marker: string | undefined;
  readonly limit: number;
  /** As sent; only given back when it was. */
  readonly maxResults: string | undefined;
  /** Lower case; words that are not known are ignored. */
  readonly include: ReadonlySet<string>;
}

const PAGE_LIMIT = 5000;

/** @throws StorageError `OutOfRangeQueryParameterValue` or `InvalidQueryParameterValue` for `maxresults` */
export function readListParameters({ query }: StorageRequest): ListParameters {
  const maxResults = query.find("maxresults");
  const include = (query.find("include") ?? "").toLowerCase().split(",");
  return {
    prefix: query.find("prefix") ?? "",
    marker: query.find("marker"),
    limit: readLimit(maxResults),
    maxResults,
    include: new Set(include.map((word) => word.trim()).filter((word) => word !== "")),
  };
}

function readLimit(maxResults: string | undefined): number {
  if (maxResults === undefined || maxResults === "") {
    return PAGE_LIMIT;
  }
  if (!/^[+-]?\d+$/u.test(maxResults)) {
    throw invalidQuery("maxresults", maxResults, "not a number");
  }
  const value = Number(maxResults);
  if (value <= 0) {
    throw new StorageError("OutOfRangeQueryParameterValue", {
      elements: {
        QueryParameterName: "maxresults",
        QueryParameterValue: maxResults,
        MinimumAllowed: "1",
        MaximumAllowed: String(PAGE_LIMIT),
      },
    });
  }
  return Math.min(value, PAGE_LIMIT);
}

/**
 * Where a listing goes on: a name and, among one name's snapshots, a moment. Opaque to clients, so that no name,
 * numeric or not, is taken for something else.
 */
export interface Position {
  readonly name: string;
  readonly moment: string;
}

export function writeMarker(position: Position): string {
  return Buffer.from(JSON.stringify([position.name, position.moment]), "utf8").toString("base64url");
}

/** @throws StorageError `InvalidQueryParameterValue` for a marker that we didn't write */
export function readMarker(marker: string | undefined): Position | undefined {
  if (marker === undefined || marker === "") {
    return undefined;
  }
  try {
    const [name, moment] = JSON.parse(Buffer.from(marker, "base64url").toString("utf8")) as unknown[];
    if (typeof name === "string" && typeof moment === "string") {
      return { name, moment };
    }
  } catch {
    // Falls through to the refusal.
  }
  throw invalidQuery("marker", marker, "not a marker of an earlier page");
}
