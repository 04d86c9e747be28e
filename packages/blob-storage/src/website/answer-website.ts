import { downloadBlob, getBlobProperties } from "../blobs/download-blob.ts";
import { noConditions } from "../conditions/conditions.ts";
import { readConditions } from "../conditions/read-conditions.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { RequestHeaders } from "../request/request-headers.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";

/**
 * Answers a request to a static web site: the blob of its path in `$web`, to everybody, whatever the container's
 * public access; in place of what isn't there the error document, with status 404 (storage §18).
 *
 * @throws StorageError `UnsupportedHttpVerb` for everything but reads, and what reading a blob throws
 */
export async function answerWebsite(request: StorageRequest, services: Services): Promise<Answer> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    throw new StorageError("UnsupportedHttpVerb", { headers: { Allow: "GET, HEAD, OPTIONS" } });
  }
  const { website } = request.account;
  if (!website.enabled) {
    return notFoundPage(request);
  }
  try {
    const conditions = readConditions(request.headers, "read", request.version);
    return await read({ ...callOf(request), conditions }, services);
  } catch (error) {
    if (!isMissing(error)) {
      throw error;
    }
  }
  return website.errorDocument === undefined
    ? notFoundPage(request)
    : errorDocument(request, website.errorDocument, services);
}

function read(call: OperationCall, services: Services): Answer | Promise<Answer> {
  return call.request.method === "HEAD" ? getBlobProperties(call, services) : downloadBlob(call, services);
}

async function errorDocument(request: StorageRequest, blob: string, services: Services): Promise<Answer> {
  // Without the request's headers: a range or a condition was meant for the page that isn't there.
  const of: StorageRequest = {
    ...request,
    headers: new RequestHeaders([]),
    address: { ...request.address, blob },
  };
  try {
    return { ...(await read(callOf(of), services)), status: 404 };
  } catch (error) {
    if (isMissing(error)) {
      return notFoundPage(request);
    }
    throw error;
  }
}

function callOf(request: StorageRequest): OperationCall {
  return {
    request,
    conditions: noConditions,
    principal: { kind: "anonymous" },
    contentKey: undefined,
    mayOverwrite: false,
    answerAnother: () => Promise.reject(new StorageError("InvalidOperation")),
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof StorageError && (error.code === "BlobNotFound" || error.code === "ContainerNotFound");
}

const PAGE = Buffer.from(
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not found</title><h1>The requested content does not exist.</h1>',
);

function notFoundPage({ method }: StorageRequest): Answer {
  const headers = { "Content-Type": "text/html; charset=utf-8", "~error-code": "WebContentNotFound" };
  return method === "HEAD"
    ? { status: 404, headers: { ...headers, "Content-Length": String(PAGE.length) } }
    : { status: 404, headers, body: { kind: "bytes", bytes: PAGE } };
}
