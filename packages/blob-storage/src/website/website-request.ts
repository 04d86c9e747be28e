import { type IncomingMessage } from "node:http";
import { type TLSSocket } from "node:tls";
import { isLoopbackRequest } from "@trefoil/http";
import { type Account } from "../accounts/account.ts";
import { StorageError } from "../errors/storage-error.ts";
import { checkBlobName } from "../request/names.ts";
import { Query } from "../request/query.ts";
import { type RequestHeaders } from "../request/request-headers.ts";
import { type ServiceVersion } from "../request/service-version.ts";
import { type StorageRequest } from "../request/storage-request.ts";
import { type Services } from "../services.ts";

/** The container that a static web site lies in. */
export const WEB_CONTAINER = "$web";

export interface WebsiteRequestInput {
  readonly id: string;
  readonly message: IncomingMessage;
  readonly headers: RequestHeaders;
  readonly version: ServiceVersion;
}

/**
 * A request to an account's static web site, which has host names of its own: `<account>.web.localhost`, and
 * `<account>.web.example.com` where the blobs are at `<account>.blob.example.com`. A site on a name of its own shares
 * no origin with the blobs, so its scripts reach nothing else (rulings, Objects 8).
 *
 * @returns `undefined` when the host is not one of these
 * @throws StorageError `ResourceNotFound` for an unknown account, `InvalidUri` or a bad name's error
 */
export function findWebsiteRequest(input: WebsiteRequestInput, services: Services): StorageRequest | undefined {
  const { message, headers } = input;
  const host = headers.find("host") ?? "";
  const name = accountOfWebsite(host, services.hostSuffixes);
  if (name === undefined) {
    return undefined;
  }
  const account = services.accounts.get(name);
  const isLocal = isLoopbackRequest(message);
  if (account.loopbackOnly && !isLocal) {
    throw new StorageError("ResourceNotFound");
  }
  const [path = "/"] = (message.url ?? "/").replace(/^https?:\/\/[^/]*/iu, "").split("?", 1);
  const blob = decode(path.replace(/^\//u, ""));
  const secure = (message.socket as Partial<TLSSocket>).encrypted === true;
  return {
    id: input.id,
    method: (message.method ?? "GET").toUpperCase(),
    headers,
    path,
    query: new Query(""),
    version: input.version,
    address: { style: "host", account: name, secondary: false, container: WEB_CONTAINER, blob: indexed(blob, account) },
    account,
    serviceEndpoint: `${secure ? "https" : "http"}://${host}`,
    secure,
    remoteAddress: message.socket.remoteAddress ?? "",
    isLocal,
    nowMs: services.clock.now(),
    body: message,
  };
}

function accountOfWebsite(host: string, suffixes: readonly string[]): string | undefined {
  if (!/\.web\./iu.test(host)) {
    return undefined;
  }
  const name = host.toLowerCase().replace(/:\d+$/u, "");
  return suffixes
    .map((suffix) => `.web.${suffix.replace(/^blob\./u, "")}`)
    .filter((suffix) => name.endsWith(suffix))
    .map((suffix) => name.slice(0, -suffix.length))
    .find((label) => /^[a-z0-9]{3,24}$/u.test(label));
}

/** A folder stands for its index document, or for the one that the whole site has. */
function indexed(blob: string, { website }: Account): string {
  const name =
    blob === "" || blob.endsWith("/") ? (website.defaultIndexPath ?? blob + (website.indexDocument ?? "")) : blob;
  checkBlobName(WEB_CONTAINER, name);
  return name;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new StorageError("InvalidUri");
  }
}
