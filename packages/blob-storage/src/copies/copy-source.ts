import { whichOf } from "../blobs/blob-address.ts";
import { type Account } from "../accounts/account.ts";
import { authenticateBearer } from "../bearer/authenticate-bearer.ts";
import { authenticateSas } from "../operations/authenticate.ts";
import { authorize, type JudgedOperation } from "../operations/authorize.ts";
import { type Principal } from "../operations/principal.ts";
import { authenticationFailed, invalidHeader, StorageError } from "../errors/storage-error.ts";
import { type OperationCall } from "../operations/operation.ts";
import { resolveAddress } from "../request/address.ts";
import { checkNames } from "../request/names.ts";
import { Query } from "../request/query.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { parseAuthorization } from "../shared-key/authorization-header.ts";
import { readSasParameters } from "../shared-access-signature/sas-parameters.ts";

/** A blob of this server that a request may copy from. */
export interface CopySource {
  /** As the client wrote it, without a signature. */
  readonly url: string;
  readonly accountId: number;
  /** Its name. */
  readonly account: string;
  readonly container: string;
  readonly name: string;
  /** A moment or a version's mark. */
  readonly which: string;
}

const URL_LIMIT_CHARACTERS = 2048;

/** Which rights count for the source of a request that is allowed by a signature. */
export type SourceRights =
  /** Only those that the source's URL brings along, or public access. */
  | "its-own"
  /** A whole blob may be copied inside what the request's own signature covers (decisions/0105). */
  | "covered";

/**
 * Resolves `~copy-source` to a blob of this server and judges whether the caller may read it: in the request's own
 * account by the right that the request has, elsewhere by a signature in the URL, a token in
 * `~copy-source-authorization` or public access. The server opens no connection for it, so a URL cannot be used to
 * reach what only the server can (storage §11); for hosts that are allowed see foreign-source.ts.
 *
 * @throws StorageError `InvalidHeaderValue`; `CannotVerifyCopySource` with the status that reading it would have
 */
export async function resolveCopySource(
  call: OperationCall,
  rights: SourceRights,
  services: Services,
): Promise<CopySource> {
  const { request } = call;
  const { source, query, url } = readSource(request, services);
  const { container, blob } = source.address;
  if (container === undefined || blob === undefined) {
    throw cannotVerify(new StorageError("ResourceNotFound"));
  }
  const read: StorageRequest = { ...request, ...source, query, method: "GET" };
  await checkReadable(call, read, rights, services);
  return {
    url: url.origin + url.pathname + withoutSignature(query),
    accountId: source.account.id,
    account: source.account.name,
    container,
    name: blob,
    which: whichOf(query),
  };
}

/** What a source that can't be read is answered with: the status, the code and the words that reading it would have. */
export function cannotVerify({ status, code, message }: StorageError): StorageError {
  return new StorageError("CannotVerifyCopySource", {
    // Nobody is asked to sign in for something else than the request.
    status: status === 401 ? 403 : status,
    message,
    elements: { CopySourceStatusCode: String(status), CopySourceErrorCode: code, CopySourceErrorMessage: message },
    headers: { "~copy-source-status-code": String(status), "~copy-source-error-code": code },
  });
}

interface FoundSource {
  readonly source: Pick<StorageRequest, "account" | "address">;
  readonly query: Query;
  readonly url: URL;
}

function readSource(request: StorageRequest, services: Services): FoundSource {
  const header = `${request.headers.family}copy-source`;
  const text = request.headers.findOwn("copy-source") ?? "";
  if (text.length > URL_LIMIT_CHARACTERS || !URL.canParse(text)) {
    throw invalidHeader(header, text);
  }
  const url = new URL(text);
  const query = new Query(url.search.slice(1));
  const address = resolveOwn(url, request, services);
  const account: Account | undefined = address === undefined ? undefined : services.accounts.find(address.account);
  const exists = account !== undefined && (request.isLocal || !account.loopbackOnly);
  if (address === undefined || account === undefined || !exists) {
    throw cannotVerify(new StorageError("ResourceNotFound"));
  }
  return { source: { address, account }, query, url };
}

/** The address of a URL that is one of this server's own; hosts are compared with the port. */
function resolveOwn(url: URL, request: StorageRequest, services: Services): StorageRequest["address"] | undefined {
  const { accounts, hostSuffixes } = services;
  const ownHost = (request.headers.find("host") ?? "").toLowerCase();
  const ownPort = portOf(ownHost);
  const isOwnSuffix = hostSuffixes.some((suffix) => url.hostname.endsWith(`.${suffix}`)) && url.port === ownPort;
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname) && url.port === ownPort;
  if (url.host !== ownHost && !isOwnSuffix && !isLoopback) {
    return undefined;
  }
  try {
    const address = resolveAddress({
      host: url.host,
      path: url.pathname,
      namesContainer: false,
      credentialAccount: request.account.name,
      hostSuffixes,
      exists: (name) => accounts.find(name) !== undefined,
      onlyAccount: accounts.onlyName,
    });
    checkNames(address);
    return address;
  } catch {
    return undefined;
  }
}

function portOf(host: string): string {
  return /:(\d+)$/u.exec(host)?.[1] ?? "";
}

/** Reading the source, as an operation: whoever may do that may copy from it. */
const READ: JudgedOperation = { name: "blob.download", scope: "blob", methods: ["GET"], anonymous: "blob" };

/** @throws StorageError `CannotVerifyCopySource` */
async function checkReadable(
  call: OperationCall,
  read: StorageRequest,
  rights: SourceRights,
  services: Services,
): Promise<void> {
  try {
    const token = sourceToken(call.request.headers);
    const principal: Principal =
      token === undefined
        ? sourcePrincipal(call, read, rights, services)
        : { kind: "token", holder: await authenticateBearer(token, read, services) };
    authorize(principal, READ, read, services);
  } catch (error) {
    throw error instanceof StorageError ? cannotVerify(error) : error;
  }
}

/** The bearer token that the source is to be read with. @throws StorageError `AuthenticationFailed` for others */
function sourceToken(headers: RequestHeaders): string | undefined {
  const text = headers.findOwn("copy-source-authorization");
  if (text === undefined || text === "") {
    return undefined;
  }
  const authorization = parseAuthorization(text);
  if (authorization.kind !== "Bearer") {
    throw authenticationFailed("Only authentication scheme Bearer is supported");
  }
  return authorization.token;
}

/** Who reads the source. @throws StorageError for a signature that isn't good for it */
function sourcePrincipal(
  { principal, request }: OperationCall,
  read: StorageRequest,
  rights: SourceRights,
  services: Services,
): Principal {
  const given = readSasParameters(read.query);
  const isOwnAccount = read.account.id === request.account.id;
  const own = principal.kind === "sas" ? readSasParameters(request.query) : undefined;
  const isOwn = given === undefined || (own !== undefined && given.signature.equals(own.signature));
  if (own !== undefined && rights === "covered" && isOwnAccount && isOwn) {
    const covered = authenticateSas(own, read, services);
    const delegator = covered.kind === "sas" ? covered.delegator : undefined;
    return delegator === undefined ? { kind: "account-key" } : { kind: "token", holder: delegator };
  }
  if (given !== undefined) {
    return authenticateSas(given, read, services);
  }
  return isOwnAccount && principal.kind !== "sas" ? principal : { kind: "anonymous" };
}

/** The URL is kept with the copy and shown to readers: the right to read the source is not part of that. */
function withoutSignature({ parameters }: Query): string {
  const kept = parameters.filter(({ name }) => name === "snapshot" || name === "versionid");
  return kept.length === 0 ? "" : `?${kept.map(({ name, rawValue }) => `${name}=${rawValue}`).join("&")}`;
}
