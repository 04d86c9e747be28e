import { parseExtras } from "../blobs/blob-extras.ts";
import { readBlobWithContent } from "../blobs/blob-address.ts";
import { blobHeaders } from "../blobs/blob-headers.ts";
import { checkReadConditions } from "../conditions/conditions.ts";
import { conditionTarget } from "../containers/container-commands.ts";
import { keyForReading } from "../encryption/blob-encryption.ts";
import { type ContentKey } from "../encryption/content-key.ts";
import { gatherBody } from "../contents/gather-body.ts";
import { readContent } from "../contents/read-content.ts";
import { StorageError } from "../errors/storage-error.ts";
import { checkLeaseOfRead } from "../leases/lease-state.ts";
import { type BlobRow } from "../metadata/tables.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { Turn } from "../operations/turn.ts";
import { readContentLength } from "../request/upload-limits.ts";
import { type Services } from "../services.ts";
import { AvroRecords } from "./avro-records.ts";
import { parseQuery } from "./parse-query.ts";
import { readQueryRequest } from "./read-query-request.ts";
import { DataError, type DataRecord } from "./records.ts";
import { RunningQuery } from "./run-query.ts";

const QUERY_LIMIT_BYTES = 256 * 1024;

/** Query Blob Contents: rows of a block blob of delimited or JSON text (storage §10, decisions/0167). */
export async function queryBlob(call: OperationCall, services: Services): Promise<Answer> {
  const { request, conditions, contentKey } = call;
  const length = readContentLength(request.headers.find("content-length"), QUERY_LIMIT_BYTES);
  const asked = readQueryRequest(await gatherBody(request.body, length));
  const query = new RunningQuery(parseQuery(asked.expression), asked);
  const blob = readBlobWithContent(request, services);
  // In the turn in which the row was read; see RunningReads.
  const release = blob.content_id === null ? (): void => undefined : services.reads.begin();
  let key: ContentKey | undefined;
  try {
    checkLeaseOfRead(blob, request.headers.findOwn("lease-id"), request.nowMs, "Blob");
    checkReadConditions(conditions, conditionTarget(blob));
    if (blob.type !== "BlockBlob") {
      throw new StorageError("InvalidBlobType");
    }
    if (parseExtras(blob).tier === "Archive") {
      throw new StorageError("BlobArchived");
    }
    key = keyForReading(parseExtras(blob), contentKey, request.account.encryptionScopes);
  } catch (error) {
    release();
    throw error;
  }
  // These tell of the blob's bytes, which are not what is sent.
  const notOfRows = { "Content-Encoding": undefined, "Content-MD5": undefined, "Accept-Ranges": undefined };
  const headers = { ...blobHeaders(blob, request.nowMs, key), ...notOfRows, "Content-Type": "avro/binary" };
  const parts = answerRows(query, blob, readContent(blob, 0, blob.length, services, key));
  return { status: 200, headers, body: { kind: "content", parts, release } };
}

/** Text of the answer that is gathered before it is sent. */
const RESULT_CHARACTERS = 64 * 1024;
const PROGRESS_BYTES = 4 * 1024 * 1024;
/** Records left out are told one by one up to here. */
const PROBLEM_LIMIT = 100;

async function* answerRows(
  query: RunningQuery,
  blob: BlobRow,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const records = new AvroRecords();
  let scanned = 0;
  let told = 0;
  let problems = 0;
  const turn = new Turn();
  let pending = "";
  /** Adds what the records give; one that isn't what the query takes it for is left out and told. */
  async function* take(found: Iterable<DataRecord>): AsyncGenerator<Uint8Array> {
    for (const record of found) {
      try {
        pending += query.take(record);
      } catch (error) {
        problems += 1;
        if (problems <= PROBLEM_LIMIT) {
          yield records.problem(describe(error, false, scanned));
        }
      }
      if (pending.length >= RESULT_CHARACTERS) {
        yield records.result(Buffer.from(pending));
        pending = "";
      }
      if (query.isDone) {
        return;
      }
      if (turn.isOver) {
        await turn.pass();
      }
    }
  }
  yield records.header();
  try {
    for await (const part of content) {
      yield* take(query.reader.read(part));
      scanned += part.length;
      if (query.isDone) {
        break;
      }
      if (scanned - told >= PROGRESS_BYTES) {
        told = scanned;
        yield records.progress(scanned, blob.length);
      }
    }
    yield* take(query.isDone ? [] : query.reader.finish());
    pending += query.finish();
  } catch (error) {
    yield records.problem(describe(error, true, scanned));
  }
  if (pending !== "") {
    yield records.result(Buffer.from(pending));
  }
  yield records.progress(scanned, blob.length);
  yield records.end(blob.length);
}

/** @throws what is no fault of the data */
function describe(error: unknown, fatal: boolean, position: number): Parameters<AvroRecords["problem"]>[0] {
  if (!(error instanceof DataError)) {
    throw error;
  }
  return { fatal, name: error.name, description: error.message, position };
}
