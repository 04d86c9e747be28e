import { type IncomingMessage } from "node:http";
import { type TLSSocket } from "node:tls";
import { isLoopbackRequest } from "@trefoil/http";
import { type AccountDirectory } from "../accounts/account-directory.ts";
import { authenticationFailed, StorageError } from "../errors/storage-error.ts";
import { type Authorization } from "../shared-key/authorization-header.ts";
import { type Account } from "../accounts/account.ts";
import { type Address, resolveAddress } from "./address.ts";
import { checkNames } from "./names.ts";
import { parseQuery } from "./query.ts";
import { type RequestHeaders } from "./request-headers.ts";
import { readServiceVersion, type ServiceVersion } from "./service-version.ts";
import { type StorageRequest } from "./storage-request.ts";

export interface ReadRequestInput {
  readonly id: string;
  readonly message: IncomingMessage;
  /** Of a request inside a batch, in place of the message's own. */
  readonly line?: { readonly method: string; readonly url: string } | undefined;
  readonly headers: RequestHeaders;
  readonly version: ServiceVersion;
  readonly authorization: Authorization | undefined;
  readonly accounts: AccountDirectory;
  readonly hostSuffixes: readonly string[];
  readonly nowMs: number;
}

/**
 * Parses a request at the edge: its URL, its account, the names in it.
 *
 * @throws StorageError for an unknown account (404, or 403 when only the header names it), a bad URL, a bad name
 */
export function readRequest(input: ReadRequestInput): StorageRequest {
  const { message, headers, authorization, accounts } = input;
  const { method = "GET", url = "/" } = input.line ?? message;
  const question = url.indexOf("?");
  // A proxy may send the absolute form; its authority is in Host as well.
  const path = (question < 0 ? url : url.slice(0, question)).replace(/^https?:\/\/[^/]*/iu, "");
  const query = parseQuery(question < 0 ? "" : url.slice(question + 1));
  const host = headers.find("host") ?? "";
  const address = resolveAddress({
    host,
    path,
    namesContainer: query.has("restype"),
    isContainer: query.find("restype")?.toLowerCase() === "container",
    credentialAccount: authorization?.kind === "Bearer" ? undefined : authorization?.account,
    hostSuffixes: input.hostSuffixes,
    exists: (name) => accounts.find(name) !== undefined,
    onlyAccount: accounts.onlyName,
  });
  const isLocal = isLoopbackRequest(message);
  const account = findAccount(address, accounts, isLocal);
  checkNames(address);
  const secure = (message.socket as Partial<TLSSocket>).encrypted === true;
  return {
    id: input.id,
    method: method.toUpperCase(),
    headers,
    path,
    query,
    version: versionFor(account, input),
    address,
    account,
    serviceEndpoint: endpointOf(address, host, secure),
    secure,
    remoteAddress: message.socket.remoteAddress ?? "",
    isLocal,
    nowMs: input.nowMs,
    body: message,
  };
}

function findAccount(address: Address, accounts: AccountDirectory, isLocal: boolean): Account {
  const account = accounts.find(address.account);
  if (account !== undefined && (isLocal || !account.loopbackOnly)) {
    return account;
  }
  throw address.style === "header"
    ? authenticationFailed("The account of the Authorization header cannot be authenticated.")
    : new StorageError("ResourceNotFound");
}

/** A signed request without a version is served by the account's default, if it has one (storage §2). */
function versionFor(account: Account, { headers, authorization, version }: ReadRequestInput): ServiceVersion {
  const isSigned = authorization !== undefined && authorization.kind !== "Bearer";
  const fallback = account.properties.DefaultServiceVersion?.text;
  return isSigned && headers.findOwn("version") === undefined && fallback !== undefined
    ? readServiceVersion(fallback, "DefaultServiceVersion", version)
    : version;
}

function endpointOf({ style, account }: Address, host: string, secure: boolean): string {
  const origin = `${secure ? "https" : "http"}://${host}`;
  return style === "host" ? origin : `${origin}/${account}`;
}
