import { type BackupReport, StoreError } from "@trefoil/graph-store";
import path from "node:path";
import { parseJson } from "../json/json-reader.ts";
import { answer, errorsBody, type Exchange, JSON_TYPE } from "../protocol/exchange.ts";
import { type Route } from "../protocol/routes.ts";
import { type StatusCodePrefix } from "../status-codes.ts";

/** What the store offers to who looks after it. */
export interface Maintenance {
  check(): Promise<readonly string[]>;
  backup(directory: string): Promise<BackupReport>;
}

/** `POST /management/check` and `POST /management/backup`: what `trefoil graph check` and `backup` ask for. */
export function maintenanceRoutes(maintenance: Maintenance, statusCodePrefix: StatusCodePrefix): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/management/check",
      handle: async (exchange) => {
        answerJson(exchange, { problems: await maintenance.check() });
      },
    },
    {
      method: "POST",
      path: "/management/backup",
      handle: (exchange) => backup(exchange, maintenance, statusCodePrefix),
    },
  ];
}

async function backup(exchange: Exchange, maintenance: Maintenance, prefix: StatusCodePrefix): Promise<void> {
  const directory = directoryIn(exchange);
  if (directory === undefined) {
    const message = 'Expected {"directory":"an absolute path on the server\'s machine"}.';
    answer(
      exchange,
      400,
      { "content-type": JSON_TYPE },
      errorsBody(`${prefix}.ClientError.Request.InvalidFormat`, message),
    );
    return;
  }
  try {
    answerJson(exchange, await maintenance.backup(directory));
  } catch (error) {
    // A folder that is not empty, or cannot be made: the one who asks may know.
    if (!(error instanceof StoreError) && (error as NodeJS.ErrnoException).code === undefined) {
      throw error;
    }
    const code = error instanceof StoreError ? error.code : "DatabaseError.General.UnknownFailure";
    const message = error instanceof Error ? error.message : "";
    answer(exchange, 409, { "content-type": JSON_TYPE }, errorsBody(`${prefix}.${code}`, message));
  }
}

function directoryIn(exchange: Exchange): string | undefined {
  try {
    const body = parseJson(exchange.body.toString("utf8"));
    const directory = body instanceof Map ? body.get("directory") : undefined;
    return typeof directory === "string" && path.isAbsolute(directory) ? directory : undefined;
  } catch {
    return undefined;
  }
}

function answerJson(exchange: Exchange, body: object): void {
  answer(exchange, 200, { "content-type": JSON_TYPE }, JSON.stringify(body));
}
