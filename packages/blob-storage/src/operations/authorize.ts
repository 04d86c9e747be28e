import { findContainer } from "../containers/container-statements.ts";
import { StorageError } from "../errors/storage-error.ts";
import { first } from "../metadata/steps.ts";
import { type PublicAccess } from "../metadata/tables.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { noCredentials, type Principal } from "./authenticate.ts";
import { type Operation } from "./operation.ts";

/**
 * Judges whether the caller may run the operation. An anonymous one may read what a container's public access opens
 * (storage §5) and learns of nothing else whether it exists.
 *
 * @param operation  `undefined` when the request fits none
 * @throws StorageError `NoAuthenticationInformation`, or `InsufficientAccountPermissions` for a write to the secondary
 */
export function authorize(
  principal: Principal,
  operation: Operation | undefined,
  request: StorageRequest,
  services: Services,
): void {
  if (principal.kind === "anonymous" && !isPublic(operation, request, services)) {
    throw noCredentials(services.challenge);
  }
  if (request.address.secondary && operation !== undefined && !isRead(operation)) {
    throw new StorageError("InsufficientAccountPermissions");
  }
}

function isPublic(operation: Operation | undefined, request: StorageRequest, services: Services): boolean {
  const name = request.address.container;
  if (operation?.anonymous === undefined || name === undefined) {
    return false;
  }
  const container = services.metadata.read(first(findContainer, { accountId: request.account.id, name }));
  return opens(container?.public_access ?? null, operation.anonymous);
}

function opens(access: PublicAccess | null, needed: PublicAccess): boolean {
  return access === "container" || access === needed;
}

function isRead({ methods }: Operation): boolean {
  return methods.includes("GET") || methods.includes("HEAD");
}
