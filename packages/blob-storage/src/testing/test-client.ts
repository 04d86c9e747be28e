import { createHmac } from "node:crypto";
import { request as startPlainRequest } from "node:http";
import { request as startTlsRequest } from "node:https";
import { type Clock } from "@trefoil/base";

export interface TestClientOptions {
  readonly url: string;
  readonly account: string;
  readonly key: string;
  readonly clock: Clock;
  readonly family?: "x-ms-" | "x-store-";
  readonly version?: string;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  /** The code of the XML error, or of the header. */
  readonly code: string | undefined;
}

export interface TestRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  readonly host?: string;
  /** Leaves the signature out. */
  readonly anonymous?: boolean;
  /** In place of the signature that would be right. */
  readonly authorization?: string;
}

/**
 * A small client of its own kind: signs as identity-and-storage §5.6 says, by other code than the server's. `~` at
 * the beginning of a header's name stands for the family.
 */
export class TestClient {
  readonly #options: TestClientOptions;

  constructor(options: TestClientOptions) {
    this.#options = options;
  }

  with(change: Partial<TestClientOptions>): TestClient {
    return new TestClient({ ...this.#options, ...change });
  }

  /** @param target  path and query as they are sent, without the account: `/c/b?comp=metadata` */
  send(method: string, target: string, request: TestRequest = {}): Promise<TestAnswer> {
    const { account, clock, family = "x-store-", version = "2026-10-06" } = this.#options;
    const body = Buffer.from(request.body ?? "");
    const given = Object.entries(request.headers ?? {});
    const headers: Record<string, string> = {
      ...(request.anonymous ? {} : { [`${family}date`]: new Date(clock.now()).toUTCString() }),
      ...(request.anonymous ? {} : { [`${family}version`]: version }),
      ...(method === "PUT" || method === "POST" ? { "content-length": String(body.length) } : {}),
      ...Object.fromEntries(given.map(([name, value]) => [name.replace(/^~/u, family).toLowerCase(), value])),
    };
    const full = request.host === undefined ? `/${account}${target}` : target;
    if (request.authorization !== undefined) {
      headers["authorization"] = request.authorization;
    } else if (request.anonymous !== true) {
      headers["authorization"] = `SharedKey ${account}:${this.sign(method, full, headers)}`;
    }
    if (request.host !== undefined) {
      headers["host"] = request.host;
    }
    return exchange(this.#options.url, method, full, headers, body);
  }

  /** The signature of a request (storage §3.1). */
  sign(method: string, target: string, headers: Readonly<Record<string, string>>): string {
    const { account, key, family = "x-store-" } = this.#options;
    const url = new URL(target, "http://localhost");
    const header = (name: string): string => headers[name] ?? "";
    const length = header("content-length") === "0" ? "" : header("content-length");
    const own = Object.keys(headers).filter((name) => name.startsWith(family));
    const lines = [
      method,
      header("content-encoding"),
      header("content-language"),
      length,
      header("content-md5"),
      header("content-type"),
      "",
      header("if-modified-since"),
      header("if-match"),
      header("if-none-match"),
      header("if-unmodified-since"),
      header("range"),
      ...own.toSorted().map((name) => `${name}:${header(name)}`),
      `/${account}${target.split("?")[0]}`,
      ...[...new Set([...url.searchParams.keys()].map((name) => name.toLowerCase()))]
        .toSorted()
        .map((name) => `${name}:${url.searchParams.getAll(name).toSorted().join(",")}`),
    ];
    return createHmac("sha256", Buffer.from(key, "base64")).update(lines.join("\n"), "utf8").digest("base64");
  }
}

function exchange(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<TestAnswer> {
  const { hostname, port, protocol } = new URL(url);
  const startRequest = protocol === "https:" ? startTlsRequest : startPlainRequest;
  return new Promise((resolve, reject) => {
    // The certificate of a test is nobody's concern.
    const options = { hostname, port, method, path, headers, agent: false, rejectUnauthorized: false } as const;
    const request = startRequest(options, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const bytes = Buffer.concat(parts);
        const received = response.headers as Readonly<Record<string, string | undefined>>;
        const text = bytes.toString("utf8");
        const code =
          /<Code>(\w+)<\/Code>/u.exec(text)?.[1] ?? received["x-store-error-code"] ?? received["x-ms-error-code"];
        resolve({ status: response.statusCode ?? 0, headers: received, bytes, text, code });
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}
