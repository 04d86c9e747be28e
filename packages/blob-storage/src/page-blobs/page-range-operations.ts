import { getBlob, requireContainer } from "../blobs/blob-address.ts";
import { changeHeaders } from "../blobs/blob-headers.ts";
import { type BlobProperties, findBlob } from "../blobs/blob-statements.ts";
import { checkReadConditions } from "../conditions/conditions.ts";
import { conditionTarget } from "../containers/container-commands.ts";
import { invalidHeader, invalidQuery, StorageError } from "../errors/storage-error.ts";
import { checkLeaseOfRead } from "../leases/lease-state.ts";
import { first, type Steps } from "../metadata/steps.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { readLimit } from "../operations/list-parameters.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { readByteRange } from "../request/byte-range.ts";
import { type Services } from "../services.ts";
import { element, textElement, xmlDocument } from "../xml/write-xml.ts";
import { piecesOf } from "./page-map.ts";
import { differenceOf, mergeRanges, type PageRange, type RangeDifference, rangesOf } from "./page-ranges.ts";

/**
 * Get Page Ranges, and what changed in them since a snapshot; in pages when asked for (`maxresults`). Neighbours are
 * joined (storage §10) but where a part of the blob is asked for (decisions/0106).
 */
export function getPageRanges(call: OperationCall, services: Services): Promise<Answer> {
  const { query } = call.request;
  const { blob, ranges } = services.metadata.readConsistently(readRanges(call, services));
  const limit = readLimit(query.find("maxresults"), Number.MAX_SAFE_INTEGER);
  const from = readStart(query.find("marker"));
  const all = [
    ...ranges.written.map((range) => ({ name: "PageRange", range })),
    ...ranges.cleared.map((range) => ({ name: "ClearRange", range })),
  ].filter(({ range }) => range.start >= from);
  // A page has the next ranges whatever they are; inside it, those with bytes come first.
  const next = all.map(({ range }) => range.start).toSorted((left, right) => left - right)[limit];
  const shown = all.filter(({ range }) => next === undefined || range.start < next);
  const list = element(
    "PageList",
    shown.map(({ name, range }) => rangeElement(name, range)).join("") +
      (next === undefined ? "" : textElement("NextMarker", next)),
  );
  return Promise.resolve({
    status: 200,
    headers: {
      ...changeHeaders({ etag: blob.etag, lastModifiedMs: blob.last_modified_ms }),
      "~blob-content-length": String(blob.length),
    },
    body: { kind: "xml", text: xmlDocument(list) },
  });
}

/** A marker is where the next range begins. */
function readStart(marker: string | undefined): number {
  if (marker === undefined || marker === "") {
    return 0;
  }
  if (!/^\d{1,15}$/u.test(marker)) {
    throw invalidQuery("marker", marker, "not a marker of an earlier page");
  }
  return Number(marker);
}

interface FoundRanges {
  readonly blob: BlobProperties;
  readonly ranges: RangeDifference;
}

function* readRanges({ request, conditions }: OperationCall, services: Services): Steps<FoundRanges> {
  const blob = yield* getBlob(request);
  if (blob.type !== "PageBlob") {
    throw new StorageError("InvalidBlobType");
  }
  checkLeaseOfRead(blob, request.headers.findOwn("lease-id"), request.nowMs, "Blob");
  checkReadConditions(conditions, conditionTarget(blob));
  const range = readByteRange(request.headers, blob.length);
  const { start, end } = range ?? { start: 0, end: blob.length };
  const pieces = yield* piecesOf(blob.content_id ?? 0, start, end);
  const previous = request.query.find("prevsnapshot") ?? previousByUrl(request);
  if (previous === undefined) {
    const written = rangesOf(pieces);
    return { blob, ranges: { written: range === undefined ? mergeRanges(written) : written, cleared: [] } };
  }
  if (blob.moment < previous) {
    throw new StorageError("PreviousSnapshotCannotBeNewer");
  }
  const { container_id: containerId } = requireContainer(request, services);
  const before = yield* first(findBlob, { containerId, name: blob.name, moment: previous });
  if (before === undefined) {
    throw new StorageError("PreviousSnapshotNotFound");
  }
  if (before.created_ms !== blob.created_ms) {
    throw new StorageError("BlobOverwritten");
  }
  return { blob, ranges: differenceOf(yield* piecesOf(before.content_id ?? 0, start, end), pieces) };
}

/** `~previous-snapshot-url`: a snapshot of the same blob, by its address. */
function previousByUrl({ headers, address }: StorageRequest): string | undefined {
  const text = headers.findOwn("previous-snapshot-url");
  if (text === undefined) {
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const snapshot = url?.searchParams.get("snapshot") ?? undefined;
  const path = `/${address.container}/${address.blob}`;
  if (url === undefined || snapshot === undefined || !decoded(url.pathname).endsWith(path)) {
    throw invalidHeader(`${headers.family}previous-snapshot-url`, text);
  }
  return snapshot;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}

function rangeElement(name: string, { start, end }: PageRange): string {
  return element(name, textElement("Start", start) + textElement("End", end - 1));
}
