import { authenticateBearer } from "../bearer/authenticate-bearer.ts";
import { findRecentContainer } from "../containers/recent-container.ts";
import { type Services } from "../services.ts";
import { readSasParameters, type SasParameters } from "../shared-access-signature/sas-parameters.ts";
import { verifyDelegation } from "../shared-access-signature/verify-delegation.ts";
import { type StoredPolicy, verifySas } from "../shared-access-signature/verify-sas.ts";
import { type Principal } from "./principal.ts";
import { authenticationFailed, StorageError } from "../errors/storage-error.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Authorization } from "../shared-key/authorization-header.ts";
import { verifySharedKey } from "../shared-key/authenticate.ts";

/**
 * Establishes who asks: at once, unless by a token.
 *
 * @param authorization  the parsed `Authorization` header, if there is one
 * @throws StorageError `AuthenticationFailed` with the detail of storage §6.2
 */
export function authenticate(
  request: StorageRequest,
  authorization: Authorization | undefined,
  services: Services,
): Principal | Promise<Principal> {
  if (authorization === undefined) {
    const sas = readSasParameters(request.query);
    return sas === undefined ? { kind: "anonymous" } : authenticateSas(sas, request, services);
  }
  if (authorization.kind === "Bearer") {
    return authenticateToken(authorization.token, request, services);
  }
  if (authorization.account !== request.account.name) {
    throw authenticationFailed("The account of the Authorization header is not the one of the request's address.");
  }
  const input = {
    kind: authorization.kind,
    signature: authorization.signature,
    method: request.method,
    headers: request.headers,
    query: request.query,
    account: request.account.name,
    path: request.path,
    version: request.version,
    nowMs: request.nowMs,
    otherPaths: pathsWithoutSecondary(request),
  };
  verifySharedKey(input, request.account.keys);
  return { kind: "account-key" };
}

async function authenticateToken(token: string, request: StorageRequest, services: Services): Promise<Principal> {
  return { kind: "token", holder: await authenticateBearer(token, request, services) };
}

/** Who holds a shared access signature. @throws StorageError as storage §4.2 lists them */
export function authenticateSas(sas: SasParameters, request: StorageRequest, services: Services): Principal {
  if (sas.kind === "user-delegation") {
    return { kind: "sas", ...verifyDelegation(sas, request) };
  }
  return { kind: "sas", grant: verifySas(sas, request, policyFinder(request, services)) };
}

/** Finds the stored access policies of the request's container. */
function policyFinder(request: StorageRequest, services: Services): (id: string) => StoredPolicy | undefined {
  return (id) => {
    const key = { accountId: request.account.id, name: request.address.container ?? "" };
    const container = findRecentContainer(key, services);
    const policies = JSON.parse(container?.policies ?? "[]") as readonly StoredPolicy[];
    return policies.find((policy) => policy.id === id);
  };
}

/** Clients disagree whether `-secondary` is part of the path they sign (storage §3.4). */
function pathsWithoutSecondary({ address, path }: StorageRequest): readonly string[] {
  return address.secondary && address.style === "path"
    ? [path.replace(`/${address.account}-secondary`, `/${address.account}`)]
    : [];
}

/** What a request without credentials gets where it needs some (rulings, Objects 4). */
export function noCredentials(challenge: string): StorageError {
  return new StorageError("NoAuthenticationInformation", { headers: { "WWW-Authenticate": challenge } });
}
