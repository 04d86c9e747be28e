import { containerOf, requireContainer } from "./blob-address.ts";
import { listUncommittedNames } from "../block-lists/staged-statements.ts";
import { noLease } from "../leases/lease-state.ts";
import { afterPrefix } from "../metadata/after-prefix.ts";
import { all, type Steps } from "../metadata/steps.ts";
import { CURRENT } from "../metadata/tables.ts";
import { type Answer } from "../operations/answer.ts";
import {
  type ListParameters,
  type Position,
  readListParameters,
  readMarker,
  writeMarker,
} from "../operations/list-parameters.ts";
import { type OperationCall } from "../operations/operation.ts";
import { type Services } from "../services.ts";
import { element, textElement, xmlDocument } from "../xml/write-xml.ts";
import { blobElement, nameElement } from "./blob-element.ts";
import { type BlobPage, type BlobProperties, listBlobRows } from "./blob-statements.ts";

/** List Blobs, flat or by a delimiter, in the order of the UTF-8 bytes of names (storage §9). */
export function listBlobs({ request }: OperationCall, services: Services): Promise<Answer> {
  const list = readListParameters(request);
  const delimiter = request.query.find("delimiter") ?? "";
  const { container_id: containerId } = requireContainer(request, services);
  const page = services.metadata.readConsistently(readPage({ containerId, list, delimiter }));
  const root = element(
    "EnumerationResults",
    textElement("Prefix", list.prefix === "" ? undefined : list.prefix) +
      textElement("Marker", list.marker) +
      textElement("MaxResults", list.maxResults) +
      textElement("Delimiter", delimiter === "" ? undefined : delimiter) +
      element("Blobs", page.entries.map((entry) => entryElement(entry, list, request.nowMs)).join("")) +
      element("NextMarker", page.next === undefined ? "" : writeMarker(page.next)),
    { ServiceEndpoint: `${request.serviceEndpoint}/`, ContainerName: containerOf(request) },
  );
  return Promise.resolve({ status: 200, headers: {}, body: { kind: "xml", text: xmlDocument(root) } });
}

type Entry =
  | { readonly kind: "blob"; readonly row: BlobProperties }
  | { readonly kind: "prefix"; readonly name: string };

interface Page {
  readonly entries: readonly Entry[];
  /** Where the next page begins. */
  readonly next: Position | undefined;
}

interface PageInput {
  readonly containerId: number;
  readonly list: ListParameters;
  readonly delimiter: string;
}

/** Rows asked for at once while prefixes are skipped. */
const SMALL_STEP = 64;

/**
 * Reads one page. A common prefix is one entry however many names it covers: the reading goes on behind all of them,
 * so the time of a page depends on its length, not on the size of the container.
 */
function* readPage({ containerId, list, delimiter }: PageInput): Steps<Page> {
  const before = afterPrefix(list.prefix);
  const least = list.include.has("snapshots") ? "" : CURRENT;
  const withDeleted: 0 | 1 = list.include.has("deleted") ? 1 : 0;
  const entries: Entry[] = [];
  let position: Position = readMarker(list.marker) ?? { name: list.prefix, moment: "" };
  for (;;) {
    const wanted = list.limit + 1 - entries.length;
    const limit = delimiter === "" ? wanted : Math.min(wanted, SMALL_STEP);
    const range = { containerId, from: position.name, fromMoment: position.moment, before, least, withDeleted, limit };
    const committed: readonly BlobProperties[] = yield* all(listBlobRows, range);
    const rows = list.include.has("uncommittedblobs") ? yield* withUncommitted(committed, range) : committed;
    const taken = takeRows(rows, entries, list, delimiter);
    if (taken.next !== undefined || (taken.skipTo === undefined && rows.length < limit)) {
      return { entries, next: taken.next };
    }
    position = taken.skipTo ?? after(rows, position);
  }
}

/** Adds names that have only staged blocks, as empty blobs. */
function* withUncommitted(committed: readonly BlobProperties[], range: BlobPage): Steps<readonly BlobProperties[]> {
  const uncommitted = yield* all(listUncommittedNames, { ...range, limit: range.limit + 1 });
  // The name that the last step ended with was taken then.
  const isNew = ({ name }: { readonly name: string }): boolean => name !== range.from || range.fromMoment <= CURRENT;
  const rows = uncommitted.filter(isNew).map(({ name, staged_ms }) => emptyBlob(range.containerId, name, staged_ms));
  return [...committed, ...rows]
    .toSorted((left, right) => Buffer.compare(Buffer.from(left.name), Buffer.from(right.name)))
    .slice(0, range.limit);
}

function emptyBlob(containerId: number, name: string, stagedMs: number): BlobProperties {
  return {
    ...noLease,
    container_id: containerId,
    name,
    moment: CURRENT,
    version_id: null,
    deleted_ms: null,
    purge_ms: null,
    type: "BlockBlob",
    length: 0,
    etag: "",
    last_modified_ms: stagedMs,
    created_ms: stagedMs,
    content_headers: "{}",
    metadata: "{}",
    tags: null,
    extras: "{}",
    content_id: null,
  };
}

interface Taken {
  /** The page is full: the next one begins here. */
  readonly next?: Position;
  /** A prefix was entered: reading goes on here. */
  readonly skipTo?: Position;
}

/** Adds rows to the entries until the page is full or a common prefix is met. */
function takeRows(rows: readonly BlobProperties[], entries: Entry[], list: ListParameters, delimiter: string): Taken {
  for (const row of rows) {
    if (entries.length === list.limit) {
      return { next: { name: row.name, moment: row.moment } };
    }
    const end = delimiter === "" ? -1 : row.name.indexOf(delimiter, list.prefix.length);
    if (end >= 0) {
      const name = row.name.slice(0, end + delimiter.length);
      entries.push({ kind: "prefix", name });
      return { skipTo: { name: afterPrefix(name), moment: "" } };
    }
    entries.push({ kind: "blob", row });
  }
  return {};
}

/** The position behind the last row: a moment with something added sorts after it and before the next one. */
function after(rows: readonly BlobProperties[], position: Position): Position {
  const last = rows.at(-1);
  return last === undefined ? position : { name: last.name, moment: `${last.moment}!` };
}

function entryElement(entry: Entry, list: ListParameters, nowMs: number): string {
  return entry.kind === "prefix"
    ? element("BlobPrefix", nameElement(entry.name))
    : blobElement(entry.row, list.include, nowMs);
}
