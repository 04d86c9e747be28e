import { randomUUID } from "node:crypto";
import { containerOf } from "../blobs/blob-address.ts";
import { changeHeaders } from "../blobs/blob-headers.ts";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type Services } from "../services.ts";
import { INFINITE, type LeaseAction } from "./lease-actions.ts";
import { normalLeaseId } from "./lease-state.ts";

/** Lease Blob and Lease Container, all five actions. */
export async function changeLease({ request, conditions }: OperationCall, services: Services): Promise<Answer> {
  const action = readAction(request.headers);
  const changed = await services.metadata.write("changeLease", {
    accountId: request.account.id,
    container: containerOf(request),
    blob: request.address.blob,
    conditions,
    action,
  });
  const { remainingSeconds, leaseId } = changed;
  const hasId = action.kind !== "release" && action.kind !== "break";
  return {
    status: STATUS[action.kind],
    headers: {
      ...changeHeaders(changed),
      "~lease-id": hasId ? (leaseId ?? undefined) : undefined,
      "~lease-time": remainingSeconds === undefined ? undefined : String(remainingSeconds),
    },
  };
}

const STATUS: Readonly<Record<LeaseAction["kind"], number>> = {
  acquire: 201,
  renew: 200,
  change: 200,
  release: 200,
  break: 202,
};

const SHORTEST_SECONDS = 15;
const LONGEST_SECONDS = 60;

function readAction(headers: RequestHeaders): LeaseAction {
  const action = required(headers, "lease-action").toLowerCase();
  switch (action) {
    case "acquire":
      return {
        kind: "acquire",
        leaseId: readId(headers, "proposed-lease-id") ?? randomUUID(),
        durationSeconds: readDuration(headers),
      };
    case "renew":
    case "release":
      return { kind: action, leaseId: requiredId(headers, "lease-id") };
    case "change":
      return {
        kind: "change",
        leaseId: requiredId(headers, "lease-id"),
        proposedId: requiredId(headers, "proposed-lease-id"),
      };
    case "break":
      return { kind: "break", periodSeconds: readNumber(headers, "lease-break-period", 0, LONGEST_SECONDS) };
    default:
      throw invalidHeader(`${headers.family}lease-action`, action);
  }
}

function readDuration(headers: RequestHeaders): number {
  if (required(headers, "lease-duration").trim() === String(INFINITE)) {
    return INFINITE;
  }
  return readNumber(headers, "lease-duration", SHORTEST_SECONDS, LONGEST_SECONDS) ?? INFINITE;
}

function readNumber(headers: RequestHeaders, name: string, least: number, most: number): number | undefined {
  const value = headers.findOwn(name);
  if (value === undefined) {
    return undefined;
  }
  const number = Number(value);
  if (!/^\d+$/u.test(value) || number < least || number > most) {
    throw invalidHeader(headers.family + name, value);
  }
  return number;
}

function required(headers: RequestHeaders, name: string): string {
  const value = headers.findOwn(name);
  if (value === undefined || value === "") {
    throw new StorageError("MissingRequiredHeader", { elements: { HeaderName: headers.family + name } });
  }
  return value;
}

function requiredId(headers: RequestHeaders, name: string): string {
  const value = required(headers, name);
  return readId(headers, name) ?? value;
}

const ID_CHARACTERS = 64;

/** A lease id: a GUID, or any short text. */
function readId(headers: RequestHeaders, name: string): string | undefined {
  const value = headers.findOwn(name);
  // Older clients send the header without a value when they have no id to propose.
  if (value === undefined || value === "") {
    return undefined;
  }
  if (value.length > ID_CHARACTERS) {
    throw invalidHeader(headers.family + name, value);
  }
  return normalLeaseId(value);
}
