import { type IncomingMessage } from "node:http";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { type AnswerHeaders } from "../operations/answer.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { readContentLength } from "../request/upload-limits.ts";
import { STRUCTURED_BODY } from "./structured-message.ts";

/** A body that is about to be received. */
export interface UploadBody {
  readonly message: IncomingMessage;
  /** Of what is to be stored. */
  readonly lengthBytes: number;
  /** The length of what is sent; absent unless it is a structured message. */
  readonly structuredBytes?: number;
}

/**
 * What a request uploads, by `Content-Length` or, of a structured body, `~structured-content-length`.
 *
 * @throws StorageError `MissingContentLengthHeader`, `RequestBodyTooLarge`, `MissingRequiredHeader`, `InvalidHeaderValue`
 */
export function readUploadBody({ headers, body }: StorageRequest, limitBytes: number): UploadBody {
  const sentLength = headers.find("content-length");
  if (!asksForStructuredBody(headers)) {
    return { message: body, lengthBytes: readContentLength(sentLength, limitBytes) };
  }
  const name = `${headers.family}structured-content-length`;
  const text = headers.findOwn("structured-content-length");
  if (text === undefined) {
    throw new StorageError("MissingRequiredHeader", { elements: { HeaderName: name } });
  }
  if (!/^\d{1,15}$/u.test(text)) {
    throw invalidHeader(name, text);
  }
  const structuredBytes = readContentLength(sentLength, Number.MAX_SAFE_INTEGER);
  return { message: body, lengthBytes: readContentLength(text, limitBytes), structuredBytes };
}

/** Whether the request's body is a structured message, or its answer's is to be. @throws StorageError `InvalidHeaderValue` */
export function asksForStructuredBody(headers: RequestHeaders): boolean {
  const text = headers.findOwn("structured-body");
  if (text === undefined) {
    return false;
  }
  if (text.replaceAll(" ", "").toLowerCase() !== STRUCTURED_BODY.replaceAll(" ", "").toLowerCase()) {
    throw invalidHeader(`${headers.family}structured-body`, text);
  }
  return true;
}

/** What the answer to an upload says of its form. */
export function structuredHeaders({ structuredBytes }: UploadBody): AnswerHeaders {
  return structuredBytes === undefined ? {} : { "~structured-body": STRUCTURED_BODY };
}
