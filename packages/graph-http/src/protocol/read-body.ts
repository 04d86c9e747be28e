import { type IncomingMessage } from "node:http";
import { GraphRequestError } from "../errors.ts";

/** A body larger than the server takes (`graph.http.max_body_bytes`). */
export class BodyTooLargeError extends GraphRequestError {
  readonly statusCode = 413;

  constructor(maximumBytes: number) {
    super("ClientError.Request.Invalid", `The request body is larger than ${maximumBytes} bytes.`);
  }
}

/**
 * The body of a request whose method usually has none (a GET with statements, graph §4.3).
 *
 * @throws BodyTooLargeError
 */
export async function readBody(request: IncomingMessage, maximumBytes: number): Promise<Buffer> {
  const { headers } = request;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) {
    return Buffer.alloc(0);
  }
  if (Number(headers["content-length"] ?? 0) > maximumBytes) {
    throw new BodyTooLargeError(maximumBytes);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > maximumBytes) {
      throw new BodyTooLargeError(maximumBytes);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
