import { containerOf, requireContainer } from "./blob-address.ts";
import { listUncommittedNames } from "../block-lists/staged-statements.ts";
import { type EncryptionScopes } from "../encryption/encryption-scope.ts";
import { invalidQuery } from "../errors/storage-error.ts";
import { isExpired } from "../expiry/expiry.ts";
import { noLease } from "../leases/lease-state.ts";
import { afterPrefix } from "../metadata/after-prefix.ts";
import { all, type Steps } from "../metadata/steps.ts";
import { CURRENT } from "../metadata/tables.ts";
import { type Answer } from "../operations/answer.ts";
import {
  BEHIND,
  type ListParameters,
  nextMarkerElement,
  type Position,
  readListParameters,
  readMarker,
} from "../operations/list-parameters.ts";
import { type OperationCall } from "../operations/operation.ts";
import { Turn } from "../operations/turn.ts";
import { type Query } from "../request/query.ts";
import { type Services } from "../services.ts";
import { element, textElement, xmlDocument } from "../xml/write-xml.ts";
import { blobElement, nameElement } from "./blob-element.ts";
import {
  type BlobPage,
  listBlobRows,
  listBlobRowsAndOrphans,
  type ListedBlob,
  readListedRow,
} from "./listing-statements.ts";

/** List Blobs, flat or by a delimiter, in the order of the UTF-8 bytes of names (storage §9). */
export async function listBlobs({ request }: OperationCall, services: Services): Promise<Answer> {
  const list = readListParameters(request);
  // What arrived before is listed, although its client may not have waited for the answer.
  await services.metadata.settled();
  const delimiter = request.query.find("delimiter") ?? "";
  const { container_id: containerId } = requireContainer(request, services);
  const shown = readShown(request.query);
  const startFrom = request.query.find("startfrom") ?? "";
  const head = element("EnumerationResults", OPEN, {
    ServiceEndpoint: `${request.serviceEndpoint}/`,
    ContainerName: containerOf(request),
  });
  const asked =
    textElement("Prefix", list.prefix === "" ? undefined : list.prefix) +
    textElement("Marker", list.marker) +
    textElement("MaxResults", list.maxResults) +
    textElement("Delimiter", delimiter === "" ? undefined : delimiter);
  const [begin = "", end = ""] = xmlDocument(head).split(OPEN);
  const { nowMs, account } = request;
  const scopes = account.encryptionScopes;
  const page = await readPage({ containerId, list, delimiter, shown, startFrom, scopes, nowMs }, services);
  const bytes = Buffer.concat([
    Buffer.from(`${begin}${asked}<Blobs>`),
    ...page.entries,
    Buffer.from(`</Blobs>${nextMarkerElement(page.next)}${end}`),
  ]);
  return { status: 200, headers: { "Content-Type": "application/xml" }, body: { kind: "bytes", bytes } };
}

/** Stands for what is put in later: no name can have it, since text is escaped. */
const OPEN = "<>";

interface Page {
  /** XML of the entries, in pieces. */
  readonly entries: readonly Buffer[];
  /** Where the next page begins. */
  readonly next: Position | undefined;
}

/** `showonly`: which entries there are. */
type Shown = "all" | "files" | "directories" | "deleted";

function readShown(query: Query): Shown {
  const text = query.find("showonly")?.toLowerCase() ?? "";
  if (text !== "" && text !== "files" && text !== "directories" && text !== "deleted") {
    throw invalidQuery("showonly", text, "one of files, directories, deleted");
  }
  return text === "" ? "all" : text;
}

interface PageInput {
  readonly containerId: number;
  readonly list: ListParameters;
  readonly delimiter: string;
  readonly shown: Shown;
  /** The first name of the listing; later than the prefix or without effect. */
  readonly startFrom: string;
  readonly scopes: EncryptionScopes;
  readonly nowMs: number;
}

/** Rows read and written out at once. */
const STEP = 24;

/**
 * Reads one page in steps, each turned into bytes before the next: rows as objects must not outlive the young generation,
 * which is small (decisions/0170); ten times the rows at once take twice the time. Other requests come between steps. Each
 * step sees one state; a page promises no more than the pages of one listing do.
 */
async function readPage(input: PageInput, services: Services): Promise<Page> {
  const { list } = input;
  const entries: Buffer[] = [];
  const turn = new Turn();
  let count = 0;
  let position: Position = readMarker(list.marker) ?? { name: firstName(input), moment: "" };
  for (;;) {
    const step = services.metadata.read(readStep(input, position, list.limit - count));
    entries.push(Buffer.from(step.entries));
    count += step.count;
    if (step.following === undefined) {
      return { entries, next: step.next };
    }
    position = step.following;
    if (turn.isOver) {
      await turn.pass();
    }
  }
}

function firstName({ list, startFrom }: PageInput): string {
  return Buffer.compare(Buffer.from(startFrom), Buffer.from(list.prefix)) > 0 ? startFrom : list.prefix;
}

/** Entries as XML. */
interface Entries {
  readonly entries: string;
  readonly count: number;
}

interface Step extends Entries {
  /** Where this page goes on; absent at its end. */
  readonly following?: Position;
  /** Where the next page begins. */
  readonly next?: Position | undefined;
}

/**
 * A common prefix is one entry however many names it covers: the reading goes on behind all of them, so the time of a
 * page depends on its length, not on the size of the container.
 */
function* readStep(input: PageInput, position: Position, room: number): Steps<Step> {
  const { containerId, list } = input;
  const before = afterPrefix(list.prefix);
  const withSnapshots: 0 | 1 = list.include.has("snapshots") ? 1 : 0;
  const withVersions: 0 | 1 = list.include.has("versions") ? 1 : 0;
  const least = withSnapshots + withVersions > 0 ? "" : CURRENT;
  const withDeleted: 0 | 1 = list.include.has("deleted") || input.shown === "deleted" ? 1 : 0;
  const limit = Math.min(room + 1, STEP);
  const kinds = { least, withSnapshots, withVersions, withDeleted };
  const range = { containerId, from: position.name, fromMoment: position.moment, before, ...kinds, limit };
  const statement = list.include.has("deletedwithversions") ? listBlobRowsAndOrphans : listBlobRows;
  const committed = (yield* all(statement, range)).map(readListedRow);
  const rows = list.include.has("uncommittedblobs") ? yield* withUncommitted(committed, range) : committed;
  const { entries, count, last, isFull, isPrefix } = takeRows(rows, room, position, input);
  if (isFull === true) {
    return { entries, count, next: last };
  }
  return isPrefix === true || rows.length === limit ? { entries, count, following: last } : { entries, count };
}

/** Adds names that have only staged blocks, as empty blobs. */
function* withUncommitted(committed: readonly ListedBlob[], range: BlobPage): Steps<readonly ListedBlob[]> {
  const uncommitted = yield* all(listUncommittedNames, { ...range, limit: range.limit + 1 });
  // The name that the last step ended with was taken then.
  const isNew = ({ name }: { readonly name: string }): boolean => name !== range.from || range.fromMoment <= CURRENT;
  const rows = uncommitted.filter(isNew).map(({ name, staged_ms }) => emptyBlob(name, staged_ms));
  return [...committed, ...rows]
    .toSorted((left, right) => Buffer.compare(Buffer.from(left.name), Buffer.from(right.name)))
    .slice(0, range.limit);
}

function emptyBlob(name: string, stagedMs: number): ListedBlob {
  return {
    ...noLease,
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
  };
}

interface Taken extends Entries {
  /** Behind the last entry. */
  readonly last: Position;
  /** There are more rows than the page has room for. */
  readonly isFull?: true;
  /** A prefix was entered: reading goes on behind all of it. */
  readonly isPrefix?: true;
}

/** Writes rows out until the page is full or a common prefix is met. */
function takeRows(
  rows: readonly ListedBlob[],
  room: number,
  position: Position,
  { list, delimiter, shown, scopes, nowMs }: PageInput,
): Taken {
  let entries = "";
  let count = 0;
  let last = position;
  for (const row of rows) {
    if (count === room) {
      return { entries, count, last, isFull: true };
    }
    const end = delimiter === "" ? -1 : row.name.indexOf(delimiter, list.prefix.length);
    if (end >= 0) {
      const name = row.name.slice(0, end + delimiter.length);
      if (shown === "all" || shown === "directories") {
        entries += element("BlobPrefix", nameElement(name));
        count += 1;
      }
      return { entries, count, last: { name: afterPrefix(name), moment: "" }, isPrefix: true };
    }
    if (isShown(row, shown, nowMs)) {
      entries += blobElement(row, list.include, scopes, nowMs);
      count += 1;
    }
    last = behind(row);
  }
  return { entries, count, last };
}

function isShown(row: ListedBlob, shown: Shown, nowMs: number): boolean {
  const isWanted = shown === "deleted" ? row.deleted_ms !== null : shown !== "directories";
  return isWanted && !isExpired(row, nowMs);
}

/** The blob itself is the last of its name; a moment with something added sorts after it and before the next one. */
function behind({ name, moment }: ListedBlob): Position {
  return { name, moment: moment === CURRENT ? BEHIND : `${moment}!` };
}
