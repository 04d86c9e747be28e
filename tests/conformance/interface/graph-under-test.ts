import { systemClock } from "@trefoil/base";
import { loadConfiguration } from "@trefoil/config";
import { startGraphServer } from "@trefoil/graph-server";
import { createLogger } from "@trefoil/http";
import { ensureCliToken } from "@trefoil/installation";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

/** An answer as a client sees it: what is JSON in it, and its text. */
export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** Undefined when the text is not JSON. */
  readonly json: ReturnType<typeof JSON.parse>;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: string | object | undefined;
  readonly headers?: http.OutgoingHttpHeaders | undefined;
}

/** The graph server with a data folder of its own, as its process starts it, and a plain client for it. */
export class GraphUnderTest {
  readonly baseUrl: string;
  readonly dataDirectory: string;
  readonly #close: () => Promise<void>;

  private constructor(baseUrl: string, dataDirectory: string, close: () => Promise<void>) {
    this.baseUrl = baseUrl;
    this.dataDirectory = dataDirectory;
    this.#close = close;
  }

  static async start(
    properties: Readonly<Record<string, string>> = {},
    dataDirectory?: string,
  ): Promise<GraphUnderTest> {
    const directory = dataDirectory ?? (await mkdtemp(path.join(tmpdir(), "trefoil-graph-")));
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const all = { "graph.http.port": "0", "graph.https.enabled": "false", ...properties };
    const lines = Object.entries(all).map(([key, value]) => `${key}=${value}\n`);
    await writeFile(path.join(directory, "trefoil.properties"), ["data.directory=.\n", ...lines].join(""));
    const configuration = await loadConfiguration({ workingDirectory: directory, environment: {} });
    const server = await startGraphServer({
      configuration,
      dataDirectory: directory,
      logger: createLogger({ name: "graph", level: "silent" }),
      cliToken: await ensureCliToken(directory),
    });
    const [address] = server.addresses;
    return new GraphUnderTest(`http://127.0.0.1:${address!.port}`, directory, () => server.close());
  }

  /** Keeps the folder, for another start. */
  stop(): Promise<void> {
    return this.#close();
  }

  async remove(): Promise<void> {
    await this.#close();
    await rm(this.dataDirectory, { recursive: true, force: true });
  }

  /** With `fetch` a GET could not have a body, which the interface serves. */
  call({ method, path: target, body, headers = {} }: Call): Promise<Answer> {
    const url = new URL(target, this.baseUrl);
    const text = typeof body === "object" ? JSON.stringify(body) : body;
    const all: http.OutgoingHttpHeaders = {
      accept: "application/json",
      ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      ...headers,
    };
    return new Promise((resolve, reject) => {
      const request = http.request(url, { method, headers: all }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => resolve(answerOf(response, Buffer.concat(chunks).toString("utf8"))));
      });
      request.on("error", reject);
      request.end(text);
    });
  }

  /** Statements in one request, committed at once. */
  commit(...statements: readonly (string | object)[]): Promise<Answer> {
    return this.call({ method: "POST", path: "/db/data/transaction/commit", body: statementsBody(statements) });
  }
}

export function statementsBody(statements: readonly (string | object)[]): object {
  return {
    statements: statements.map((statement) => (typeof statement === "string" ? { statement } : statement)),
  };
}

export const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;

export const nowMs = (): number => systemClock.now();

function answerOf(response: http.IncomingMessage, text: string): Answer {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.statusCode ?? 0, headers: response.headers, text, json };
}
