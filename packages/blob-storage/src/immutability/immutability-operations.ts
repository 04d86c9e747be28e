import { blobOf, containerOf, whichOf } from "../blobs/blob-address.ts";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { formatHttpDate, parseHttpDate } from "../request/http-date.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { type ImmutabilityChange } from "./immutability-commands.ts";

/** Set Blob Immutability Policy: until when nobody may change or delete the blob. */
export async function setImmutabilityPolicy({ request }: OperationCall, services: Services): Promise<Answer> {
  const { headers } = request;
  const untilMs = readUntil(headers, request.nowMs);
  const mode = (headers.findOwn("immutability-policy-mode") ?? "unlocked").toLowerCase();
  if (mode !== "unlocked" && mode !== "locked") {
    throw invalidHeader(`${headers.family}immutability-policy-mode`, mode);
  }
  await write(request, { kind: "set-policy", untilMs, mode }, services);
  return {
    status: 200,
    headers: { "~immutability-policy-until-date": formatHttpDate(untilMs), "~immutability-policy-mode": mode },
  };
}

/** Delete Blob Immutability Policy. */
export async function deleteImmutabilityPolicy({ request }: OperationCall, services: Services): Promise<Answer> {
  await write(request, { kind: "delete-policy" }, services);
  return { status: 200, headers: {} };
}

/** Set Blob Legal Hold. */
export async function setLegalHold({ request }: OperationCall, services: Services): Promise<Answer> {
  const { headers } = request;
  const text = (headers.findOwn("legal-hold") ?? "").toLowerCase();
  if (text !== "true" && text !== "false") {
    throw invalidHeader(`${headers.family}legal-hold`, text);
  }
  await write(request, { kind: "set-legal-hold", legalHold: text === "true" }, services);
  return { status: 200, headers: { "~legal-hold": text } };
}

async function write(request: StorageRequest, change: ImmutabilityChange, services: Services): Promise<void> {
  await services.metadata.write("setImmutability", {
    accountId: request.account.id,
    container: containerOf(request),
    name: blobOf(request),
    which: whichOf(request.query),
    change,
  });
}

function readUntil(headers: RequestHeaders, nowMs: number): number {
  const name = `${headers.family}immutability-policy-until-date`;
  const text = headers.findOwn("immutability-policy-until-date");
  if (text === undefined) {
    throw new StorageError("MissingRequiredHeader", { elements: { HeaderName: name } });
  }
  const ms = parseHttpDate(text);
  if (ms === undefined || ms <= nowMs) {
    throw invalidHeader(name, text);
  }
  return ms;
}
