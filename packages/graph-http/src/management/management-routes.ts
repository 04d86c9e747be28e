import { StartError } from "@trefoil/base";
import { type ImportOptions, type ImportReport } from "@trefoil/graph-store";
import { type FastifyRequest } from "fastify";
import { type AccountStore } from "../authentication/account-store.ts";
import { failureOf } from "../errors.ts";
import { type JsonValue, parseJson } from "../json/json-reader.ts";
import { answer, errorsBody, type Exchange, JSON_TYPE } from "../protocol/exchange.ts";
import { type Route } from "../protocol/routes.ts";
import { type Maintenance, maintenanceRoutes } from "./maintenance-routes.ts";
import { type ExtensionHost } from "../extensions/extension-host.ts";
import { userManagementRoutes } from "./user-management.ts";
import { type StatusCodePrefix } from "../status-codes.ts";
import { type AnswerSink } from "../transactions/answer-sink.ts";
import { commitAtOnce, type TransactionServices } from "../transactions/transactional-endpoint.ts";
import { statementCallOf } from "../transactions/statement-call.ts";
import { sinkFor } from "../transactions/sink-for.ts";

/** Loads nodes and relationships from files on the server's machine. */
export type ImportFiles = (options: ImportOptions) => Promise<ImportReport>;

export interface ManagementServices extends TransactionServices {
  readonly importFiles: ImportFiles;
  readonly maintenance?: Maintenance | undefined;
  /** Whether the request comes from who owns the data folder, on this machine. */
  readonly isOwner: (request: FastifyRequest) => boolean;
  readonly statusCodePrefix: StatusCodePrefix;
  readonly extensions: ExtensionHost | undefined;
  readonly accounts: AccountStore | undefined;
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
  const { maintenance, statusCodePrefix } = services;
  const looksAfter = maintenance === undefined ? [] : maintenanceRoutes(maintenance, statusCodePrefix);
  return [
    ...looksAfter.map((route) => ({ ...route, handle: forOwner(route.handle) })),
    {
      method: "POST",
      path: "/management/transaction/commit",
      handle: forOwner((exchange) => commitAtOnce(statementCallOf(exchange), services)),
    },
    { method: "POST", path: "/management/import", handle: forOwner((exchange) => importFiles(exchange, services)) },
    {
      method: "GET",
      path: "/management/extensions",
      handle: forOwner((exchange) => answerJson(exchange, 200, { extensions: services.extensions?.list() ?? [] })),
    },
    {
      method: "POST",
      path: "/management/extensions/reload",
      handle: forOwner((exchange) => reloadExtensions(exchange, services)),
    },
    ...userManagementRoutes(services.accounts, services.statusCodePrefix).map((route) => ({
      ...route,
      handle: forOwner(route.handle),
    })),
  ];
}

/** Exchanges all extensions, or none and says why. */
async function reloadExtensions(
  exchange: Exchange,
  { extensions, statusCodePrefix }: ManagementServices,
): Promise<void> {
  try {
    await extensions?.load();
  } catch (error) {
    if (!(error instanceof StartError)) {
      throw error;
    }
    const code = `${statusCodePrefix}.ClientError.Request.Invalid`;
    answer(exchange, 409, { "content-type": JSON_TYPE }, errorsBody(code, error.message));
    return;
  }
  answerJson(exchange, 200, { extensions: extensions?.list() ?? [] });
}

function answerJson(exchange: Exchange, status: number, body: object): void {
  answer(exchange, status, { "content-type": JSON_TYPE }, JSON.stringify(body));
}

/** Answers with one JSON object a line while it works: `{"progress":…}`, at last `{"done":…}` or `{"errors":[…]}`. */
async function importFiles(exchange: Exchange, services: ManagementServices): Promise<void> {
  const options = readOptions(exchange);
  if (options === undefined) {
    const code = `${services.statusCodePrefix}.ClientError.Request.InvalidFormat`;
    const message =
      'Expected {"nodes":["file", …],"relationships":["file", …]}, with "delimiter" (one character) and "skipBadLines" if wanted.';
    answer(exchange, 400, { "content-type": JSON_TYPE }, errorsBody(code, message));
    return;
  }
  const sink = sinkFor(exchange, 200, { "content-type": "application/x-ndjson" });
  try {
    const { badLineErrors, ...report } = await services.importFiles({
      ...options,
      onProgress: (progress) => {
        writeLine(sink, { progress });
        void sink.drain();
      },
    });
    writeLine(sink, { done: { ...report, badLineMessages: badLineErrors.map(({ message }) => message) } });
  } catch (error) {
    const failure = failureOf(error);
    if (failure.unexpected !== undefined) {
      exchange.request.log.error({ err: failure.unexpected }, "an import failed");
    }
    // The files belong to who asks: what is wrong with them may be told.
    const message = error instanceof Error ? error.message : failure.message;
    writeLine(sink, { errors: [{ code: `${services.statusCodePrefix}.${failure.code}`, message }] });
  } finally {
    sink.end();
  }
}

function writeLine(sink: AnswerSink, line: object): void {
  sink.write(`${JSON.stringify(line)}\n`);
}

function readOptions(exchange: Exchange): ImportOptions | undefined {
  let input: JsonValue;
  try {
    input = parseJson(exchange.body.toString("utf8"));
  } catch {
    return undefined;
  }
  if (!(input instanceof Map)) {
    return undefined;
  }
  const members = input as ReadonlyMap<string, JsonValue>;
  const nodeFiles = textList(members.get("nodes"));
  const relationshipFiles = textList(members.get("relationships"));
  const delimiter = members.get("delimiter");
  const skipBadLines = members.get("skipBadLines");
  return nodeFiles === undefined ||
    relationshipFiles === undefined ||
    (delimiter !== undefined && (typeof delimiter !== "string" || delimiter.length !== 1)) ||
    (skipBadLines !== undefined && typeof skipBadLines !== "boolean")
    ? undefined
    : { nodeFiles, relationshipFiles, delimiter, skipBadLines };
}

function textList(value: JsonValue | undefined): readonly string[] | undefined {
  const list = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  return Array.isArray(value) && list.every((element) => typeof element === "string") ? list : undefined;
}
