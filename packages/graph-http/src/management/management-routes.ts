import { type FastifyRequest } from "fastify";
import { failureOf } from "../errors.ts";
import { type JsonValue, parseJson } from "../json/json-reader.ts";
import { writeJson } from "../json/json-writer.ts";
import { answer, errorsBody, type Exchange, JSON_TYPE } from "../protocol/exchange.ts";
import { type Route } from "../protocol/routes.ts";
import { type StatusCodePrefix } from "../status-codes.ts";
import { type AnswerSink } from "../transactions/answer-sink.ts";
import { commitAtOnce, type TransactionServices } from "../transactions/transactional-endpoint.ts";
import { sinkFor } from "../transactions/sink-for.ts";

/** How far an import has come, in rows of its files; `total` is an estimate until the end. */
export interface ImportProgress {
  readonly nodes: number;
  readonly relationships: number;
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

/** Loads nodes and relationships from files on the server's machine. */
export type ImportFiles = (options: {
  readonly nodesFiles: readonly string[];
  readonly relationshipsFiles: readonly string[];
  readonly onProgress: (progress: ImportProgress) => void;
}) => Promise<ImportProgress>;

export interface ManagementServices extends TransactionServices {
  readonly importFiles: ImportFiles | undefined;
  /** Whether the request comes from who owns the data folder, on this machine. */
  readonly isOwner: (request: FastifyRequest) => boolean;
  readonly statusCodePrefix: StatusCodePrefix;
}

/** What the command line works through: statements and imports, for the owner of the data folder (rulings, Identity 10). */
export function managementRoutes(services: ManagementServices): readonly Route[] {
  const forOwner =
    (handle: Route["handle"]): Route["handle"] =>
    (exchange) => {
      if (services.isOwner(exchange.request)) {
        return handle(exchange);
      }
      const code = `${services.statusCodePrefix}.ClientError.Security.AuthorizationFailed`;
      const message = "The management interface is for the owner of the data folder, on this machine.";
      answer(exchange, 401, { "content-type": JSON_TYPE }, errorsBody(code, message));
      return undefined;
    };
  return [
    {
      method: "POST",
      path: "/management/transaction/commit",
      handle: forOwner((exchange) => commitAtOnce(exchange, services)),
    },
    { method: "POST", path: "/management/import", handle: forOwner((exchange) => importFiles(exchange, services)) },
  ];
}

/** Answers with one JSON object a line while it works: `{"progress":…}`, at last `{"done":…}` or `{"errors":[…]}`. */
async function importFiles(exchange: Exchange, services: ManagementServices): Promise<void> {
  const files = readFiles(exchange);
  if (files === undefined || services.importFiles === undefined) {
    const code = `${services.statusCodePrefix}.ClientError.Request.InvalidFormat`;
    const message = 'Expected {"nodes":["file", …],"relationships":["file", …]}.';
    answer(exchange, 400, { "content-type": JSON_TYPE }, errorsBody(code, message));
    return;
  }
  const sink = sinkFor(exchange, 200, { "content-type": "application/x-ndjson" });
  let lastMs = 0;
  try {
    const done = await services.importFiles({
      ...files,
      onProgress: (progress) => {
        const nowMs = performance.now();
        if (nowMs - lastMs >= PROGRESS_INTERVAL_MS) {
          lastMs = nowMs;
          writeLine(sink, "progress", progress);
          void sink.drain();
        }
      },
    });
    writeLine(sink, "done", done);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.unexpected !== undefined) {
      exchange.request.log.error({ err: failure.unexpected }, "an import failed");
    }
    const problem = new Map<string, JsonValue>([
      ["code", `${services.statusCodePrefix}.${failure.code}`],
      // The files belong to who asks: what is wrong with them may be told.
      ["message", error instanceof Error ? error.message : failure.message],
    ]);
    sink.write(`${writeJson(new Map([["errors", [problem]]]), "compact")}\n`);
  } finally {
    sink.end();
  }
}

const PROGRESS_INTERVAL_MS = 100;

function writeLine(sink: AnswerSink, name: string, progress: ImportProgress): void {
  sink.write(`${JSON.stringify({ [name]: progress })}\n`);
}

function readFiles(
  exchange: Exchange,
): { readonly nodesFiles: readonly string[]; readonly relationshipsFiles: readonly string[] } | undefined {
  try {
    const input = parseJson(exchange.body.toString("utf8"));
    if (input instanceof Map) {
      const members = input as ReadonlyMap<string, JsonValue>;
      const nodesFiles = textList(members.get("nodes"));
      const relationshipsFiles = textList(members.get("relationships"));
      if (nodesFiles !== undefined && relationshipsFiles !== undefined) {
        return { nodesFiles, relationshipsFiles };
      }
    }
  } catch {
    // What is no JSON has no files either.
  }
  return undefined;
}

function textList(value: JsonValue | undefined): readonly string[] | undefined {
  const list = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  return Array.isArray(value) && list.every((element) => typeof element === "string")
    ? (list as readonly string[])
    : undefined;
}
