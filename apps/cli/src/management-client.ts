import { readFile } from "node:fs/promises";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { CommandFailure, exitCodes } from "./command-failure.ts";

export interface ManagementRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query below the server's address: `/v1.0/applications?$top=5`. */
  readonly path: string;
  /** Sent as JSON unless it is a stream or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ManagementClientOptions {
  /** `http://127.0.0.1:8400` */
  readonly baseUrl: string;
  readonly token: string;
  /** Trusted for https in place of the system's authorities. */
  readonly certificateAuthorityPem?: string | undefined;
}

/** Speaks to one running server's management interface as the administrator of its data folder. */
export class ManagementClient {
  readonly baseUrl: string;
  readonly #token: string;
  readonly #certificateAuthorityPem: string | undefined;

  constructor({ baseUrl, token, certificateAuthorityPem }: ManagementClientOptions) {
    this.baseUrl = baseUrl;
    this.#token = token;
    this.#certificateAuthorityPem = certificateAuthorityPem;
  }

  /** The answer as it comes, whatever its status: for streams in either direction. */
  send(request: ManagementRequest): Promise<IncomingMessage> {
    const url = new URL(request.path, this.baseUrl);
    const body = encodeBody(request.body);
    const headers: Record<string, string> = {
      authorization: `Bearer ${this.#token}`,
      accept: "application/json",
      ...body.headers,
      ...request.headers,
    };
    return new Promise((resolve, reject) => {
      const options = {
        method: request.method,
        headers,
        ...(request.signal === undefined ? {} : { signal: request.signal }),
        ...(this.#certificateAuthorityPem === undefined ? {} : { ca: this.#certificateAuthorityPem }),
      };
      const outgoing = (url.protocol === "https:" ? requestTls : requestPlain)(url, options, resolve);
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        reject(
          error.code === "ECONNREFUSED"
            ? new CommandFailure(`nothing answers at ${this.baseUrl}`, exitCodes.notRunning, { cause: error })
            : error,
        );
      });
      if (body.stream !== undefined) {
        body.stream.on("error", (error) => outgoing.destroy(error)).pipe(outgoing);
      } else {
        outgoing.end(body.bytes);
      }
    });
  }

  /**
   * The answer's JSON (`undefined` when there is none).
   *
   * @throws CommandFailure with the server's own message when the status is 400 or above
   */
  async json<T = unknown>(request: ManagementRequest): Promise<T> {
    const response = await this.send(request);
    const text = (await buffer(response)).toString("utf8");
    const status = response.statusCode ?? 0;
    if (status >= 400) {
      throw new CommandFailure(`${messageOf(text) ?? "the server refused"} (status ${status})`, exitCodes.failure);
    }
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }
}

/** Reads the token and the certificate authority of a data folder. */
export async function openManagementClient(
  baseUrl: string,
  files: { readonly token: string; readonly certificateAuthority: string },
): Promise<ManagementClient> {
  const certificateAuthorityPem = await readFile(files.certificateAuthority, "utf8").catch(() => undefined);
  return new ManagementClient({
    baseUrl,
    token: (await readFile(files.token, "utf8")).trim(),
    certificateAuthorityPem,
  });
}

interface EncodedBody {
  readonly headers: Record<string, string>;
  readonly bytes?: Uint8Array;
  readonly stream?: Readable;
}

function encodeBody(body: unknown): EncodedBody {
  if (body === undefined) {
    return { headers: {} };
  }
  if (typeof body === "object" && body !== null && "pipe" in body) {
    return { headers: { "content-type": "application/octet-stream" }, stream: body as Readable };
  }
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  const type = body instanceof Uint8Array ? "application/octet-stream" : "application/json";
  return { headers: { "content-type": type, "content-length": String(bytes.byteLength) }, bytes };
}

/** The message of the error shapes that our servers use: `{error: {message}}`, `{errors: [{message}]}`, `{message}`. */
function messageOf(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as {
      error?: string | { message?: string };
      error_description?: string;
      errors?: { message?: string }[];
      message?: string;
    };
    const nested = typeof value.error === "object" ? value.error.message : (value.error_description ?? value.error);
    return nested ?? value.errors?.[0]?.message ?? value.message;
  } catch {
    return text.startsWith("<") || text === "" ? undefined : text.slice(0, 500);
  }
}
