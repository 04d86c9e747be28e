import { type Account } from "../accounts/account.ts";
import { authenticateSas } from "../operations/authenticate.ts";
import { authorize, type JudgedOperation } from "../operations/authorize.ts";
import { type Principal } from "../operations/principal.ts";
import { invalidHeader, StorageError } from "../errors/storage-error.ts";
import { CURRENT } from "../metadata/tables.ts";
import { type OperationCall } from "../operations/operation.ts";
import { resolveAddress } from "../request/address.ts";
import { Query } from "../request/query.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";
import { readSasParameters } from "../shared-access-signature/sas-parameters.ts";

/** A blob of this server that a request may copy from. */
export interface CopySource {
  /** As the client wrote it, without a signature. */
  readonly url: string;
  readonly accountId: number;
  readonly container: string;
  readonly name: string;
  readonly moment: string;
}

const URL_LIMIT_CHARACTERS = 2048;

/**
 * Resolves `~copy-source` to a blob of this server and judges whether the caller may read it: in the request's own
 * account by the right that the request has, elsewhere by a signature in the URL or public access. The server never
 * opens a connection for it, so a URL cannot be used to reach what only the server can (storage §11).
 *
 * @throws StorageError `InvalidHeaderValue`; `CannotVerifyCopySource` with the status that reading it would have
 */
export function resolveCopySource(call: OperationCall, services: Services): CopySource {
  const { request } = call;
  const { source, query, url } = readSource(request, services);
  const { container, blob } = source.address;
  if (container === undefined || blob === undefined) {
    throw cannotVerify(404);
  }
  const read: StorageRequest = { ...request, ...source, query, method: "GET" };
  if (!mayRead(call, read, services)) {
    throw cannotVerify(403);
  }
  return {
    url: url.origin + url.pathname + withoutSignature(url.search),
    accountId: source.account.id,
    container,
    name: blob,
    moment: query.find("snapshot") ?? CURRENT,
  };
}

/** What a source that can't be read is answered with; `status` is the one that reading it would have. */
export function cannotVerify(status: number): StorageError {
  return new StorageError("CannotVerifyCopySource", { status });
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
    throw cannotVerify(404);
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
    return resolveAddress({
      host: url.host,
      path: url.pathname,
      namesContainer: false,
      credentialAccount: request.account.name,
      hostSuffixes,
      exists: (name) => accounts.find(name) !== undefined,
      onlyAccount: accounts.onlyName,
    });
  } catch {
    return undefined;
  }
}

function portOf(host: string): string {
  return /:(\d+)$/u.exec(host)?.[1] ?? "";
}

/** Reading the source, as an operation: whoever may do that may copy from it. */
const READ: JudgedOperation = { name: "blob.download", scope: "blob", methods: ["GET"], anonymous: "blob" };

function mayRead({ principal, request }: OperationCall, read: StorageRequest, services: Services): boolean {
  try {
    const sas = readSasParameters(read.query);
    const isOwnAccount = read.account.id === request.account.id;
    // A signature for the copy says nothing about its source: that needs one of its own.
    const own: Principal = isOwnAccount && principal.kind !== "sas" ? principal : { kind: "anonymous" };
    authorize(sas === undefined ? own : authenticateSas(sas, read, services), READ, read, services);
    return true;
  } catch (error) {
    if (error instanceof StorageError) {
      return false;
    }
    throw error;
  }
}

/** The URL is kept with the copy and shown to readers: the right to read the source is not part of that. */
function withoutSignature(search: string): string {
  const snapshot = new URLSearchParams(search).get("snapshot");
  return snapshot === null ? "" : `?snapshot=${encodeURIComponent(snapshot)}`;
}
