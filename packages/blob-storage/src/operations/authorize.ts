import { type TokenHolder } from "../bearer/authenticate-bearer.ts";
import { isEnough, roleNeededFor } from "../bearer/token-permissions.ts";
import { findRecentContainer } from "../containers/recent-container.ts";
import { asksForImmutability } from "../immutability/read-immutability.ts";
import { authenticationFailed, StorageError } from "../errors/storage-error.ts";
import { type PublicAccess } from "../metadata/tables.ts";
import { rolesOf } from "../roles/role-assignments.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { type SasGrant } from "../shared-access-signature/sas-grant.ts";
import { noCredentials } from "./authenticate.ts";
import { type Principal } from "./principal.ts";
import { type Query } from "../request/query.ts";
import { type SasNeeds, sasNeeds } from "./sas-permissions.ts";
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
  operation: JudgedOperation | undefined,
  request: StorageRequest,
  services: Services,
): void {
  if (principal.kind === "anonymous" && !isPublic(operation, request, services)) {
    throw noCredentials(services.challenge);
  }
  if (principal.kind === "sas" && operation !== undefined) {
    checkGrant(principal.grant, operation, request);
  }
  const holder = holderOf(principal);
  if (holder !== undefined && operation !== undefined) {
    checkRoles(holder, operation, request, services);
  }
  // Behind a host of its own the secondary is a copy; in the path it is another name for the same (decisions/0106).
  if (request.address.secondary && request.address.style === "host" && operation !== undefined && !isRead(operation)) {
    throw new StorageError("InsufficientAccountPermissions");
  }
}

/** What of an operation decides who may run it. */
export type JudgedOperation = Pick<Operation, "name" | "scope" | "methods" | "anonymous">;

/** These act on another container than the one they address, so a role in that one is not enough. */
const reachesFurther: ReadonlySet<string> = new Set(["container.rename", "container.restore"]);

/** Whose roles count: the token's holder, or who delegated a signature. */
function holderOf(principal: Principal): TokenHolder | undefined {
  switch (principal.kind) {
    case "token":
      return principal.holder;
    case "sas":
      return principal.delegator;
    default:
      return undefined;
  }
}

/** @throws StorageError `AuthorizationPermissionMismatch` (rulings, Objects 4) */
function checkRoles(
  { objectId, roles }: TokenHolder,
  operation: JudgedOperation,
  { account, address }: StorageRequest,
  { metadata }: Services,
): void {
  const needed = roleNeededFor(operation);
  if (needed === undefined) {
    throw authenticationFailed("Authentication scheme Bearer is not supported for this operation.");
  }
  const container = reachesFurther.has(operation.name) ? undefined : address.container;
  const assigned = rolesOf(metadata, account.id, objectId, container);
  if (!isEnough([...roles, ...assigned], needed)) {
    throw new StorageError("AuthorizationPermissionMismatch");
  }
}

/** @throws StorageError `AuthorizationPermissionMismatch` or `AuthorizationResourceTypeMismatch` (storage §4.2) */
function checkGrant(grant: SasGrant, operation: JudgedOperation, { query, headers }: StorageRequest): void {
  const needs = operation.name === "blob.delete" ? deletionNeeds(query) : sasNeeds[operation.name];
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
  if (isRead(operation)) {
    return;
  }
  // Who may only write may neither decide how long that stays nor set what is searched and judged by.
  const asksForTags = headers.findOwn("tags") !== undefined;
  const further = [...(asksForImmutability(headers) ? ["i"] : []), ...(asksForTags ? ["t"] : [])];
  if (!further.every((letter) => grant.permissions.includes(letter))) {
    throw new StorageError("AuthorizationPermissionMismatch");
  }
}

/** Deleting for good, and deleting a version, have letters of their own (storage §4.3). */
function deletionNeeds(query: Query): SasNeeds | undefined {
  const special = query.has("deletetype") ? "y" : query.has("versionid") ? "x" : undefined;
  return special === undefined ? sasNeeds["blob.delete"] : { service: special, type: "o", account: special };
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
  for (const letter of letters) {
    if (permissions.includes(letter)) {
      return true;
    }
  }
  return false;
}

function isPublic(operation: JudgedOperation | undefined, request: StorageRequest, services: Services): boolean {
  const name = request.address.container;
  if (operation?.anonymous === undefined || name === undefined || !request.account.settings.publicAccess) {
    return false;
  }
  const container = findRecentContainer({ accountId: request.account.id, name }, services);
  return opens(container?.public_access ?? null, operation.anonymous);
}

function opens(access: PublicAccess | null, needed: PublicAccess): boolean {
  return access === "container" || access === needed;
}

function isRead({ methods }: JudgedOperation): boolean {
  return methods.includes("GET") || methods.includes("HEAD");
}
