import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP } from "node:net";
import { forwardedSourceKey } from "../encryption/read-customer-key.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type OperationCall } from "../operations/operation.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type Services } from "../services.ts";
import { cannotVerify } from "./copy-source.ts";
import { addressOf, isAllowedHost, type Resolver, systemResolver } from "./foreign-address.ts";

/** From where blobs may be copied besides this server (decisions/0109). */
export interface ForeignHosts {
  /** `host` or `host:port`, lower case. */
  readonly allowed: readonly string[];
  readonly resolve?: Resolver | undefined;
}

/** A source on another server, opened for reading. */
export interface ForeignSource {
  /** Without its query, which may hold a signature. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly lengthBytes: number;
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends the connection, whatever was read. */
  close(): void;
}

/** To the first header of the answer, and between two parts of it. */
const IDLE_MS = 30_000;
const FORWARDED_CONDITIONS = {
  "source-if-match": "If-Match",
  "source-if-none-match": "If-None-Match",
  "source-if-modified-since": "If-Modified-Since",
  "source-if-unmodified-since": "If-Unmodified-Since",
  "source-if-tags": "x-ms-if-tags",
} as const;

/** The URL of a request's source if it is one of an allowed foreign host. */
export function foreignUrl({ request }: OperationCall, { foreignHosts }: Services): URL | undefined {
  const text = request.headers.findOwn("copy-source") ?? "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return url !== undefined && isWeb && isAllowedHost(url, foreignHosts.allowed) ? url : undefined;
}

/**
 * Opens a source on another server. Redirects are not followed: where they lead was not allowed.
 *
 * @param range       of the source, as a header's value
 * @param limitBytes  what may come at most
 * @throws StorageError `CannotVerifyCopySource` with the status of the source, `RequestBodyTooLarge`
 */
export async function openForeignSource(
  call: OperationCall,
  url: URL,
  range: string | undefined,
  limitBytes: number,
  { foreignHosts }: Services,
): Promise<ForeignSource> {
  const address = await addressOf(url, foreignHosts.resolve ?? systemResolver).catch((error: unknown) => {
    throw error instanceof StorageError ? cannotVerify(error) : error;
  });
  const response = await connect(url, address, requestHeaders(call.request.headers, url, range));
  const expected = range === undefined ? 200 : 206;
  const lengthBytes = Number(response.headers["content-length"] ?? Number.NaN);
  if (response.statusCode !== expected || !Number.isSafeInteger(lengthBytes)) {
    response.destroy();
    throw refusalOf(response);
  }
  if (lengthBytes > limitBytes) {
    response.destroy();
    throw new StorageError("RequestBodyTooLarge", { elements: { MaxLimit: String(limitBytes) } });
  }
  return {
    url: url.origin + url.pathname,
    headers: response.headers,
    lengthBytes,
    body: response as AsyncIterable<Buffer>,
    close: () => response.destroy(),
  };
}

function requestHeaders(headers: RequestHeaders, url: URL, range: string | undefined): Record<string, string> {
  const sent: Record<string, string> = { "Accept-Encoding": "identity", "x-ms-version": "2021-12-02" };
  if (range !== undefined) {
    sent["Range"] = range;
  }
  const authorization = headers.findOwn("copy-source-authorization");
  const key = forwardedSourceKey(headers);
  const isSecret = authorization !== undefined || Object.keys(key).length > 0;
  // A token or a key that could be read on the way is worth nothing.
  if (isSecret && url.protocol !== "https:") {
    throw cannotVerify(new StorageError("AuthenticationFailed"));
  }
  if (authorization !== undefined) {
    sent["Authorization"] = authorization;
  }
  Object.assign(sent, key);
  for (const [name, standard] of Object.entries(FORWARDED_CONDITIONS)) {
    const value = headers.findOwn(name);
    if (value !== undefined) {
      sent[standard] = value;
    }
  }
  return sent;
}

function connect(url: URL, address: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const family = isIP(address);
    const request = (url.protocol === "https:" ? tlsRequest : plainRequest)(url, {
      headers,
      agent: false,
      timeout: IDLE_MS,
      // The address was looked up and judged: nothing else is connected to.
      lookup: (_host, options, callback) =>
        options.all === true ? callback(null, [{ address, family }]) : callback(null, address, family),
    });
    request.on("response", resolve);
    request.on("timeout", () => request.destroy(new Error("the source sent nothing for too long")));
    request.on("error", (cause) => reject(unreachable(cause)));
    request.end();
  });
}

function unreachable(cause: unknown): StorageError {
  return new StorageError("CannotVerifyCopySource", {
    status: 404,
    message: "The copy source cannot be reached.",
    cause,
  });
}

/** The source's own words, as far as a status says them. */
function refusalOf({ statusCode = 500, headers }: IncomingMessage): StorageError {
  const code = headers["x-ms-error-code"] ?? headers["x-store-error-code"];
  if (statusCode === 412 || statusCode === 304) {
    return new StorageError("SourceConditionNotMet");
  }
  const status = statusCode >= 400 && statusCode < 600 ? statusCode : 404;
  return new StorageError("CannotVerifyCopySource", {
    status: status === 401 ? 403 : status,
    elements: { CopySourceStatusCode: String(statusCode), CopySourceErrorCode: typeof code === "string" ? code : "" },
    headers: { "~copy-source-status-code": String(statusCode) },
  });
}
