import { getBlob, requireContainer } from "../blobs/blob-address.ts";
import { changeHeaders } from "../blobs/blob-headers.ts";
import { type BlobProperties, findBlob } from "../blobs/blob-statements.ts";
import { checkReadConditions } from "../conditions/conditions.ts";
import { conditionTarget } from "../containers/container-commands.ts";
import { StorageError } from "../errors/storage-error.ts";
import { checkLeaseOfRead } from "../leases/lease-state.ts";
import { first, type Steps } from "../metadata/steps.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { readByteRange } from "../request/byte-range.ts";
import { type Services } from "../services.ts";
import { element, textElement, xmlDocument } from "../xml/write-xml.ts";
import { piecesOf } from "./page-map.ts";
import { differenceOf, type PageRange, type RangeDifference, rangesOf } from "./page-ranges.ts";

/** Get Page Ranges, and what changed in them since a snapshot. */
export function getPageRanges(call: OperationCall, services: Services): Promise<Answer> {
  const { blob, ranges } = services.metadata.readConsistently(readRanges(call, services));
  const list = element(
    "PageList",
    ranges.written.map((range) => rangeElement("PageRange", range)).join("") +
      ranges.cleared.map((range) => rangeElement("ClearRange", range)).join(""),
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
  const { start, end } = readByteRange(request.headers, blob.length) ?? { start: 0, end: blob.length };
  const pieces = yield* piecesOf(blob.content_id ?? 0, start, end);
  const previous = request.query.find("prevsnapshot");
  if (previous === undefined) {
    return { blob, ranges: { written: rangesOf(pieces), cleared: [] } };
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

function rangeElement(name: string, { start, end }: PageRange): string {
  return element(name, textElement("Start", start) + textElement("End", end - 1));
}
