import { findContainer } from "../containers/container-statements.ts";
import { StorageError } from "../errors/storage-error.ts";
import { first } from "../metadata/steps.ts";
import { type PublicAccess } from "../metadata/tables.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { type SasGrant } from "../shared-access-signature/sas-grant.ts";
import { noCredentials } from "./authenticate.ts";
import { type Principal } from "./principal.ts";
import { sasNeeds } from "./sas-permissions.ts";
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
  if (principal.kind === "sas" && operation !== undefined) {
    checkGrant(principal.grant, operation);
  }
  if (request.address.secondary && operation !== undefined && !isRead(operation)) {
    throw new StorageError("InsufficientAccountPermissions");
  }
}

/** @throws StorageError `AuthorizationPermissionMismatch` or `AuthorizationResourceTypeMismatch` (storage §4.2) */
export function checkGrant(grant: SasGrant, operation: Pick<Operation, "name" | "scope">): void {
  const needs = sasNeeds[operation.name];
  const letters = grant.kind === "account" ? needs?.account : needs?.service;
  const typeFits = needs?.type === "*" || grant.resourceTypes.includes(needs?.type ?? "none");
  if (needs !== undefined && grant.kind === "account" && !typeFits) {
    throw new StorageError("AuthorizationResourceTypeMismatch");
  }
  // A signature over one blob says nothing about its container.
  const scopeFits = grant.kind === "account" || operation.scope === "blob" || grant.overContainer;
  if (letters === undefined || !scopeFits || !hasAny(grant.permissions, letters)) {
    throw new StorageError("AuthorizationPermissionMismatch");
  }
}

/** Whether the caller may replace a blob that exists: the right to create alone is not enough. */
export function mayOverwrite(principal: Principal, { name }: Operation): boolean {
  if (principal.kind !== "sas") {
    return true;
  }
  const letters = sasNeeds[name]?.service ?? "";
  return !letters.includes("c") || principal.grant.permissions.includes("w");
}

function hasAny(permissions: string, letters: string): boolean {
  return Array.from(letters).some((letter) => permissions.includes(letter));
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
