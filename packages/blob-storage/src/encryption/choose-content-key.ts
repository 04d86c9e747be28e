import { findRecentContainer } from "../containers/recent-container.ts";
import { invalidHeader, invalidQuery, StorageError } from "../errors/storage-error.ts";
import { takesEncryptionScope, usesEncryptionScope } from "../operations/operation-parameters.ts";
import { type Principal } from "../operations/principal.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { readSasParameters } from "../shared-access-signature/sas-parameters.ts";
import { type ContentKey } from "./content-key.ts";
import { checkScopeOf } from "./container-encryption.ts";
import { ACCOUNT_KEY, isKnownScope, NO_SUCH_SCOPE, openScope } from "./encryption-scope.ts";
import { readCustomerKey } from "./read-customer-key.ts";

/**
 * The key that a request's blob is encrypted with: the client's own; else, for an operation that writes, the scope that
 * a header or the signature names, else that of the container. Readers name no scope.
 *
 * @throws StorageError `InvalidHeaderValue`, `InvalidQueryParameterValue`, `AuthorizationFailure` for a disabled scope,
 *   or `RequestForbiddenByContainerEncryptionPolicy`
 */
export function chooseContentKey(
  request: StorageRequest,
  principal: Principal,
  operation: string,
  services: Services,
): ContentKey | undefined {
  const own = readCustomerKey(request);
  if (!usesEncryptionScope.has(operation)) {
    return own;
  }
  const asked = readScope(request, principal, operation);
  const { id: accountId, encryptionScopes: scopes } = request.account;
  if (own !== undefined && asked !== undefined) {
    throw invalidHeader(`${request.headers.family}encryption-scope`, asked);
  }
  // Without scopes in the account no container can name one, and most have none.
  if (own === undefined && asked === undefined && scopes.size === 0) {
    return undefined;
  }
  const container = findRecentContainer({ accountId, name: request.address.container ?? "" }, services);
  const usual = container?.default_encryption_scope ?? ACCOUNT_KEY;
  const isOther = own !== undefined || (asked ?? usual) !== usual;
  if (isOther && container?.deny_encryption_scope_override === 1) {
    throw new StorageError("RequestForbiddenByContainerEncryptionPolicy");
  }
  const name = asked ?? usual;
  return own ?? (name === ACCOUNT_KEY ? undefined : openScope(scopes, name));
}

/** The scope that a request names, if it names one; a header may say again what the signature says. */
function readScope(request: StorageRequest, principal: Principal, operation: string): string | undefined {
  const header = takesEncryptionScope.has(operation) ? request.headers.findOwn("encryption-scope") : undefined;
  if (header !== undefined) {
    checkScopeOf(request, "encryption-scope", header);
  }
  const signed = principal.kind === "sas" ? signedScope(request) : undefined;
  if (header !== undefined && signed !== undefined && header !== signed) {
    throw new StorageError("RequestForbiddenByContainerEncryptionPolicy");
  }
  return header ?? signed;
}

/** `ses`, which signatures cover since 2020-12-06 (storage §4.1). */
function signedScope(request: StorageRequest): string | undefined {
  const sas = readSasParameters(request.query);
  const name = sas !== undefined && sas.version >= "2020-12-06" ? sas.value("ses") : "";
  if (name === "") {
    return undefined;
  }
  if (!isKnownScope(request.account.encryptionScopes, name)) {
    throw invalidQuery("ses", name, NO_SUCH_SCOPE, NO_SUCH_SCOPE);
  }
  return name;
}
