import { invalidQuery, StorageError } from "../errors/storage-error.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { element, escapeXml, isXmlText } from "../xml/write-xml.ts";

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

/** @throws StorageError `OutOfRangeQueryParameterValue` or `InvalidQueryParameterValue` */
export function readLimit(maxResults: string | undefined, most: number = PAGE_LIMIT): number {
  if (maxResults === undefined || maxResults === "") {
    return most;
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
  return Math.min(value, most);
}

/** Where a listing goes on: behind a name or, among one name's snapshots and versions, at a moment. */
export interface Position {
  readonly name: string;
  readonly moment: string;
}

/** Sorts after every moment, so that with it a listing goes on behind all of a name. */
export const BEHIND = "~~";

/** Begins a marker that is more than a name. */
const ENCODED = "!";

/** Where the next page of a listing begins, if there is one. */
export function nextMarkerElement(next: Position | undefined): string {
  return element("NextMarker", next === undefined ? "" : escapeXml(writeMarker(next)));
}

/**
 * The marker of a position. Behind a name it is that name, as clients of this kind know it; anything else is encoded,
 * and so are names that would be taken for that, that XML cannot carry, or whose ends readers of XML cut off.
 */
function writeMarker({ name, moment }: Position): string {
  const isPlain = !name.startsWith(ENCODED) && isXmlText(name) && name.trim() === name;
  return moment === BEHIND && isPlain
    ? name
    : ENCODED + Buffer.from(JSON.stringify([name, moment]), "utf8").toString("base64url");
}

/** Reads a marker; one that we didn't write is the name of something, and the page begins behind it. */
export function readMarker(marker: string | undefined): Position | undefined {
  if (marker === undefined || marker === "") {
    return undefined;
  }
  return (marker.startsWith(ENCODED) ? decodeMarker(marker) : undefined) ?? { name: marker, moment: BEHIND };
}

function decodeMarker(marker: string): Position | undefined {
  try {
    const text = Buffer.from(marker.slice(ENCODED.length), "base64url").toString("utf8");
    const [name, moment] = JSON.parse(text) as unknown[];
    const isPosition = typeof name === "string" && typeof moment === "string" && !`${name}${moment}`.includes("\0");
    return isPosition ? { name, moment } : undefined;
  } catch {
    return undefined;
  }
}
