import { blobOf, containerOf, whichOf } from "../blobs/blob-address.ts";
import { type Answer } from "../operations/answer.ts";
import { type OperationCall } from "../operations/operation.ts";
import { formatHttpDate } from "../request/http-date.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { type ImmutabilityChange } from "./immutability-commands.ts";
import { readLegalHold, readPolicy } from "./read-immutability.ts";

/** Set Blob Immutability Policy: until when nobody may change or delete the blob. */
export async function setImmutabilityPolicy(
  { request, conditions }: OperationCall,
  services: Services,
): Promise<Answer> {
  const policy = readPolicy(request.headers, request.nowMs);
  await write(request, { kind: "set-policy", policy, conditions }, services);
  return {
    status: 200,
    headers: {
      "~immutability-policy-until-date": formatHttpDate(policy.immutableUntilMs),
      "~immutability-policy-mode": policy.immutabilityMode,
    },
  };
}

/** Delete Blob Immutability Policy. */
export async function deleteImmutabilityPolicy({ request }: OperationCall, services: Services): Promise<Answer> {
  await write(request, { kind: "delete-policy" }, services);
  return { status: 200, headers: {} };
}

/** Set Blob Legal Hold. */
export async function setLegalHold({ request }: OperationCall, services: Services): Promise<Answer> {
  const legalHold = readLegalHold(request.headers);
  await write(request, { kind: "set-legal-hold", legalHold }, services);
  return { status: 200, headers: { "~legal-hold": String(legalHold) } };
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
