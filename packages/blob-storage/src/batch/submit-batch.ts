import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { gatherBody } from "../contents/gather-body.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { headerLines } from "../render-answer.ts";
import { Query } from "../request/query.ts";
import { readContentLength } from "../request/upload-limits.ts";
import { type Services } from "../services.ts";
import { type AnsweredPart, answerPart, refuseBatch } from "./answer-part.ts";
import { BATCH_LIMIT_BYTES, type BatchPart, readBatch, readBoundary } from "./read-batch.ts";

/** Submit Batch, at the account or at a container (storage §16): deletes blobs or sets their tiers, many at once. */
export async function submitBatch(call: OperationCall, services: Services): Promise<Answer> {
  const { headers, body } = call.request;
  const contentType = headers.find("content-type");
  if (contentType === undefined) {
    throw new StorageError("MissingRequiredHeader", { elements: { HeaderName: "Content-Type" } });
  }
  const length = readContentLength(headers.find("content-length"), BATCH_LIMIT_BYTES);
  const bytes = await gatherBody(body, length);
  let parts: readonly BatchPart[];
  try {
    parts = readBatch(bytes, readBoundary(contentType));
    checkKinds(parts);
  } catch (error) {
    if (error instanceof StorageError) {
      return multipart([refuseBatch(error, call)]);
    }
    throw error;
  }
  // All at once: their changes share commits.
  const answered = await Promise.all(parts.map((part) => answerPart(part, call, services)));
  return multipart(answered);
}

/** @throws StorageError `AllBatchSubRequestsShouldBeSameApi`, or `InvalidInput` for what a batch cannot hold */
function checkKinds(parts: readonly BatchPart[]): void {
  const kinds = new Set(parts.map(kindOf));
  if (kinds.has(undefined)) {
    throw new StorageError("InvalidInput", { detail: "a batch deletes blobs or sets tiers, nothing else" });
  }
  if (kinds.size > 1) {
    throw new StorageError("AllBatchSubRequestsShouldBeSameApi");
  }
}

/** Nothing else may stand in a batch, so it cannot hold another batch either. */
function kindOf({ method, target }: BatchPart): "delete" | "tier" | undefined {
  const query = new Query(target.split("?").slice(1).join("?"));
  const comp = query.find("comp")?.toLowerCase();
  if (query.has("restype")) {
    return undefined;
  }
  if (method === "DELETE" && comp === undefined) {
    return "delete";
  }
  return method === "PUT" && comp === "tier" ? "tier" : undefined;
}

function multipart(answered: readonly AnsweredPart[]): Answer {
  const boundary = `batchresponse_${randomUUID()}`;
  const text = `${answered.map((part) => `--${boundary}\r\n${partText(part)}`).join("")}--${boundary}--\r\n`;
  const bytes = Buffer.from(text, "latin1");
  return {
    status: 202,
    headers: { "Content-Type": `multipart/mixed; boundary=${boundary}` },
    body: { kind: "bytes", bytes },
  };
}

/** As text of one character per byte. */
function partText({ contentId, answer, envelope }: AnsweredPart): string {
  const body = answer.body?.kind === "xml" ? Buffer.from(answer.body.text, "utf8").toString("latin1") : "";
  const type = body === "" ? [] : [`Content-Type: application/xml`];
  const headers = headerLines(answer, envelope);
  return [
    "Content-Type: application/http",
    ...(contentId === undefined ? [] : [`Content-ID: ${contentId}`]),
    "",
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}`,
    ...headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : [])),
    ...type,
    `Content-Length: ${body.length}`,
    "",
    body,
    ...(body === "" ? [] : [""]),
  ].join("\r\n");
}
