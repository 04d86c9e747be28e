import { XMLParser } from "fast-xml-parser";
import type { BlobAccess } from "./blob-access.ts";
import { pathOf } from "./blob-address.ts";

export interface ListedBlob {
  readonly name: string;
  /** Absent for a common prefix of several names. */
  readonly bytes?: number;
  readonly modified?: string;
  readonly type?: string;
}

export interface ListOptions {
  readonly prefix?: string;
  readonly delimiter?: string;
  /** At most so many entries. */
  readonly limit: number;
}

const PAGE = 5_000;

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  // Characters by number as well: a carriage return in a name is written so.
  htmlEntities: true,
  isArray: (name) => ["Blob", "BlobPrefix", "Container"].includes(name),
});

/** The blobs of a container, page by page. */
export async function listBlobs(
  access: BlobAccess,
  container: string,
  { prefix, delimiter, limit }: ListOptions,
): Promise<readonly ListedBlob[]> {
  const found: ListedBlob[] = [];
  let marker = "";
  do {
    const query = {
      restype: "container",
      comp: "list",
      maxresults: String(Math.min(PAGE, limit - found.length)),
      ...(prefix === undefined ? {} : { prefix }),
      ...(delimiter === undefined ? {} : { delimiter }),
      ...(marker === "" ? {} : { marker }),
    };
    const { text } = await access.read({ method: "GET", path: pathOf({ container }), query });
    const page = (parser.parse(text) as { EnumerationResults: BlobPage }).EnumerationResults;
    const entries = page.Blobs === "" || page.Blobs === undefined ? {} : page.Blobs;
    found.push(...(entries.BlobPrefix ?? []).map(({ Name }) => ({ name: nameOf(Name) })));
    found.push(...(entries.Blob ?? []).map(blobOf));
    marker = page.NextMarker ?? "";
  } while (marker !== "" && found.length < limit);
  return found.toSorted((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
}

/** The names of the account's containers. */
export async function listContainers(
  access: BlobAccess,
): Promise<readonly { readonly name: string; readonly modified: string }[]> {
  const found: { name: string; modified: string }[] = [];
  let marker = "";
  do {
    const query = { comp: "list", ...(marker === "" ? {} : { marker }) };
    const { text } = await access.read({ method: "GET", path: "/", query });
    const page = (parser.parse(text) as { EnumerationResults: ContainerPage }).EnumerationResults;
    const containers = page.Containers === "" || page.Containers === undefined ? [] : (page.Containers.Container ?? []);
    found.push(
      ...containers.map(({ Name, Properties }) => ({ name: Name, modified: isoTime(Properties["Last-Modified"]) })),
    );
    marker = page.NextMarker ?? "";
  } while (marker !== "");
  return found;
}

/** A name that XML cannot carry comes percent-encoded, and says so. */
type Name = string | { readonly "#text": string; readonly "@_Encoded": string };

interface BlobEntry {
  readonly Name: Name;
  readonly Properties: {
    readonly "Content-Length": string;
    readonly "Last-Modified": string;
    readonly BlobType: string;
  };
}

interface BlobPage {
  readonly Blobs?:
    | ""
    | { readonly Blob?: readonly BlobEntry[]; readonly BlobPrefix?: readonly { readonly Name: Name }[] };
  readonly NextMarker?: string;
}

interface ContainerPage {
  readonly Containers?:
    | ""
    | {
        readonly Container?: readonly {
          readonly Name: string;
          readonly Properties: { readonly "Last-Modified": string };
        }[];
      };
  readonly NextMarker?: string;
}

function blobOf({ Name, Properties }: BlobEntry): ListedBlob {
  return {
    name: nameOf(Name),
    bytes: Number(Properties["Content-Length"]),
    modified: isoTime(Properties["Last-Modified"]),
    type: Properties.BlobType,
  };
}

function nameOf(name: Name): string {
  return typeof name === "string" ? name : decodeURIComponent(name["#text"]);
}

function isoTime(httpDate: string): string {
  return new Date(httpDate).toISOString().replace(".000Z", "Z");
}
