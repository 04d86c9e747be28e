import { noConditions } from "../conditions/conditions.ts";
import { StorageError } from "../errors/storage-error.ts";
import { type Command, type CommandContext } from "../metadata/command.ts";
import { first, run, type Steps } from "../metadata/steps.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { checkContainerName } from "../request/names.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type Services } from "../services.ts";
import { getContainerForWrite } from "./container-commands.ts";
import { newContainerName } from "./container-operations.ts";
import { type ContainerKey, findContainer, findKeptContainer, placeContainer } from "./container-statements.ts";

/** Restore Container: a deleted one comes back with all it held, under its own name or another (storage §9). */
export async function restoreContainer({ request }: OperationCall, services: Services): Promise<Answer> {
  await services.metadata.write("restoreContainer", {
    accountId: request.account.id,
    name: newContainerName(request),
    deletedName: requiredHeader(request.headers, "deleted-container-name"),
    deletedVersion: requiredHeader(request.headers, "deleted-container-version"),
  });
  return { status: 201, headers: {} };
}

/** Rename Container: the request's container is the new name, which must be free (storage §9). */
export async function renameContainer({ request }: OperationCall, services: Services): Promise<Answer> {
  const source = requiredHeader(request.headers, "source-container-name");
  checkContainerName(source);
  await services.metadata.write("renameContainer", {
    accountId: request.account.id,
    name: newContainerName(request),
    source,
    sourceLeaseId: request.headers.findOwn("source-lease-id"),
  });
  return { status: 200, headers: {} };
}

export interface RestoreContainerInput extends ContainerKey {
  readonly deletedName: string;
  readonly deletedVersion: string;
}

export const restoreContainerRow: Command<RestoreContainerInput, null> = function* (input, context) {
  const { accountId, name, deletedName, deletedVersion } = input;
  yield* checkFree({ accountId, name });
  const key = { accountId, name: deletedName, version: deletedVersion, nowMs: context.nowMs };
  const kept = yield* first(findKeptContainer, key);
  if (kept === undefined) {
    throw new StorageError("ContainerNotFound");
  }
  yield* place(kept.container_id, name, context);
  return null;
};

export interface RenameContainerInput extends ContainerKey {
  readonly source: string;
  readonly sourceLeaseId: string | undefined;
}

export const renameContainerRow: Command<RenameContainerInput, null> = function* (input, context) {
  const { accountId, name, source, sourceLeaseId } = input;
  const key = { accountId, name: source, conditions: noConditions, leaseId: sourceLeaseId };
  const { container_id } = yield* getContainerForWrite(key, context);
  yield* checkFree({ accountId, name });
  yield* place(container_id, name, context);
  return null;
};

function* checkFree(key: ContainerKey): Steps<void> {
  if ((yield* first(findContainer, key)) !== undefined) {
    throw new StorageError("ContainerAlreadyExists");
  }
}

function place(containerId: number, name: string, context: CommandContext): Steps<void> {
  return run(placeContainer, { containerId, name, etag: context.newEtag(), nowMs: context.nowMs });
}

function requiredHeader(headers: RequestHeaders, name: string): string {
  const value = headers.findOwn(name);
  if (value === undefined || value === "") {
    throw new StorageError("MissingRequiredHeader", { elements: { HeaderName: `${headers.family}${name}` } });
  }
  return value;
}
