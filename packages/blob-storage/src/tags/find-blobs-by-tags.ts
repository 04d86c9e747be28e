import { containerOf, requireContainer } from "../blobs/blob-address.ts";
import { nameElement } from "../blobs/blob-element.ts";
import { invalidQuery } from "../errors/storage-error.ts";
import { afterPrefix } from "../metadata/after-prefix.ts";
import { all } from "../metadata/steps.ts";
import { type Answer } from "../operations/answer.ts";
import { nextMarkerElement, type Position, readListParameters, readMarker } from "../operations/list-parameters.ts";
import { type OperationCall } from "../operations/operation.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { element, textElement, xmlDocument } from "../xml/write-xml.ts";
import {
  comparisonsOf,
  CONTAINER_SUBJECT,
  matchesTags,
  parseTagFilter,
  type TagFilter,
  TagFilterSyntaxError,
} from "./tag-filter.ts";
import { listTaggedBlobs, type TaggedBlob } from "./tag-statements.ts";
import { tagsElement } from "./tags-element.ts";
import { parseTags } from "./tags.ts";

/** Rows read at once, and between two looks at other requests. */
const STEP = 1_000;
/** Rows that one request reads: a page that found less has a marker all the same, as clients expect of a search. */
const SCAN_LIMIT = 50_000;

/** Find Blobs by Tags, in the account or in one container. What was tagged is found at once (storage §19). */
export async function findBlobsByTags({ request }: OperationCall, services: Services): Promise<Answer> {
  const list = readListParameters(request);
  const { text, filter } = readFilter(request);
  const scope = scopeOf(request, filter, services);
  const { found, next } = await search(filter, scope, readMarker(list.marker), list.limit, request, services);
  const root = element(
    "EnumerationResults",
    textElement("Where", text) +
      element("Blobs", found.map((blob) => blobElement(blob, filter)).join("")) +
      nextMarkerElement(next),
    { ServiceEndpoint: `${request.serviceEndpoint}/` },
  );
  return { status: 200, headers: {}, body: { kind: "xml", text: xmlDocument(root) } };
}

/** In `where` a plus is a space, as in a form (storage §1). */
function readFilter({ query }: StorageRequest): { readonly text: string; readonly filter: TagFilter } {
  const raw = query.parameters.find(({ name }) => name === "where")?.rawValue ?? "";
  const text = decodeURIComponent(raw.replaceAll("+", " "));
  try {
    return { text, filter: parseTagFilter(text, "find") };
  } catch (error) {
    if (error instanceof TagFilterSyntaxError) {
      throw invalidQuery("where", text, error.message, error.message);
    }
    throw error;
  }
}

/** The only container to look in, if there is only one. */
function scopeOf(request: StorageRequest, filter: TagFilter, services: Services): string | undefined {
  if (request.address.container !== undefined) {
    requireContainer(request, services);
    return containerOf(request);
  }
  // A search is one comparison or several joined by AND, so each of them has to hold.
  return comparisonsOf(filter).find(({ subject }) => subject === CONTAINER_SUBJECT)?.value;
}

interface Page {
  readonly found: readonly TaggedBlob[];
  readonly next: Position | undefined;
}

async function search(
  filter: TagFilter,
  scope: string | undefined,
  marker: Position | undefined,
  limit: number,
  request: StorageRequest,
  services: Services,
): Promise<Page> {
  const found: TaggedBlob[] = [];
  // A marker's name is the container here, its moment the blob.
  let from = marker ?? { name: scope ?? "", moment: "" };
  // A blank sorts before everything that a container's name can go on with.
  const beforeContainer = scope === undefined ? afterPrefix("") : `${scope} `;
  for (let scanned = 0; scanned < SCAN_LIMIT; scanned += STEP) {
    const range = { fromContainer: from.name, fromName: from.moment, beforeContainer, limit: STEP + 1 };
    const rows = services.metadata.read(all(listTaggedBlobs, { accountId: request.account.id, ...range }));
    for (const row of rows.slice(0, STEP)) {
      if (matchesTags(filter, parseTags(row.tags), row.container)) {
        if (found.length === limit) {
          return { found, next: { name: row.container, moment: row.name } };
        }
        found.push(row);
      }
    }
    const following = rows[STEP];
    if (following === undefined) {
      return { found, next: undefined };
    }
    from = { name: following.container, moment: following.name };
    await new Promise(setImmediate);
  }
  return { found, next: from };
}

function blobElement({ container, name, tags }: TaggedBlob, filter: TagFilter): string {
  const asked = new Set(comparisonsOf(filter).map(({ subject }) => subject));
  const matching = Object.entries(parseTags(tags)).filter(([key]) => asked.has(key));
  return element(
    "Blob",
    nameElement(name) + textElement("ContainerName", container) + tagsElement(Object.fromEntries(matching)),
  );
}
