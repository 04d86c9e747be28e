import { type OutgoingHttpHeaders } from "node:http";
import { failureOf } from "../errors.ts";
import { JsonError } from "../json/json-error.ts";
import { parseJson } from "../json/json-reader.ts";
import { writeJson } from "../json/json-writer.ts";
import { isJsonInput } from "../protocol/accept.ts";
import { answer, answerNotFound, errorsBody, type Exchange, JSON_TYPE } from "../protocol/exchange.ts";
import { type StatusCodePrefix } from "../status-codes.ts";
import { type ExtensionHost } from "./extension-host.ts";
import { type ExtensionHandler } from "./extension-module.ts";
import { forwardRequest } from "./jaxrs/forward-request.ts";
import { jsonOf, plainOf } from "./extension-json.ts";

/** Answers what no endpoint of the server's own is there for: an extension, or the page of what is not found. */
export function extensionHandler(
  host: ExtensionHost,
  prefix: StatusCodePrefix,
): (exchange: Exchange) => Promise<void> | void {
  return (exchange) => {
    const { method, url } = exchange.request;
    const found = host.find(method, pathOf(url));
    if (found === undefined) {
      answerNotFound(exchange.reply);
    } else if (found.kind === "handler") {
      return respond(exchange, found.handler, found.parameters, prefix);
    } else if (found.kind === "jar") {
      return forwardRequest(exchange, found.host, found.databaseUrl, prefix);
    } else {
      answer(exchange, method === "OPTIONS" ? 204 : 405, { allow: found.allow.join(",") });
    }
    return undefined;
  };
}

async function respond(
  exchange: Exchange,
  handler: ExtensionHandler,
  parameters: Readonly<Record<string, string>>,
  prefix: StatusCodePrefix,
): Promise<void> {
  const { request, baseUrl, body } = exchange;
  try {
    const input = readBody(exchange);
    const result = await handler(input, {
      method: request.method,
      path: pathOf(request.url),
      parameters,
      query: Object.fromEntries(new URL(request.url, "http://host").searchParams),
      headers: request.headers,
      rawBody: body,
      baseUrl,
      user: request.graphAccount?.name,
      role: request.graphAccount?.role,
    });
    answerResult(exchange, result);
  } catch (error) {
    answerError(exchange, error, prefix);
  }
}

/** The body as JavaScript has it: JSON by its type or without one, any other type as text. @throws JsonError */
function readBody({ body, request }: Exchange): unknown {
  if (body.length === 0) {
    return undefined;
  }
  const text = body.toString("utf8");
  return isJsonInput(request.headers["content-type"]) ? plainOf(parseJson(text)) : text;
}

function answerResult(exchange: Exchange, result: unknown): void {
  const { status, headers, body } = isResponse(result) ? result : { status: undefined, headers: {}, body: result };
  const given = Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  ) satisfies OutgoingHttpHeaders;
  if (body === undefined) {
    answer(exchange, status ?? 204, given);
    return;
  }
  if (body instanceof Uint8Array || (typeof body === "string" && given["content-type"] !== undefined)) {
    const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
    void exchange.reply
      .code(status ?? 200)
      .headers({ "content-type": "application/octet-stream", ...given })
      .send(bytes);
    return;
  }
  answer(exchange, status ?? 200, { "content-type": JSON_TYPE, ...given }, writeJson(jsonOf(body), "compact"));
}

interface ExtensionResponse {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: unknown;
}

/** An object that says its status and nothing but what belongs to a response. */
function isResponse(value: unknown): value is ExtensionResponse {
  return (
    typeof value === "object" &&
    value !== null &&
    "status" in value &&
    isStatus(value.status) &&
    Object.keys(value).every((key) => key === "status" || key === "headers" || key === "body")
  );
}

function isStatus(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 200 && value <= 599;
}

/** An error's own `status` is answered with its message; a statement's error is the client's; all else is the module's. */
function answerError(exchange: Exchange, error: unknown, prefix: StatusCodePrefix): void {
  const told = (status: number, code: string, message: string): void =>
    answer(exchange, status, { "content-type": JSON_TYPE }, errorsBody(`${prefix}.${code}`, message));
  if (error instanceof JsonError) {
    told(400, "ClientError.Request.InvalidFormat", `Unable to deserialize request: ${error.message}`);
    return;
  }
  const failure = failureOf(error);
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
  if (isStatus(status) && status >= 400) {
    const fallback = status < 500 ? "ClientError.Request.Invalid" : "DatabaseError.General.UnknownFailure";
    const code = failure.unexpected === undefined ? failure.code : fallback;
    told(status, code, error instanceof Error ? error.message : "");
  } else if (failure.unexpected === undefined) {
    told(failure.code.startsWith("ClientError") ? 400 : 500, failure.code, failure.message ?? "");
  } else {
    exchange.request.log.error({ err: error }, "an extension failed");
    told(500, failure.code, failure.message ?? "");
  }
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}
