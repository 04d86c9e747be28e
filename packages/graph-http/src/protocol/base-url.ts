import { type IncomingHttpHeaders } from "node:http";

/** What of a request tells under which address the client knows the server. */
export interface AddressedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly encrypted: boolean;
  /** Where the request came in; used when there is no `Host`. */
  readonly localAddress: string;
  readonly localPort: number;
}

/**
 * `scheme://host[:port]` of every URL written into answers to this request: from `Host`, or from the first
 * `X-Forwarded-Host` and `X-Forwarded-Proto` of a proxy. A forwarded host without a port keeps the request's port.
 *
 * @source graph-http §1 (reverse proxy), graph-measured
 */
export function baseUrlOf(request: AddressedRequest): string {
  const { headers } = request;
  const host = validHost(headers.host) ?? `${bracketed(request.localAddress)}:${request.localPort}`;
  const forwardedHost = validHost(first(headers["x-forwarded-host"]));
  const forwardedScheme = first(headers["x-forwarded-proto"])?.toLowerCase();
  const scheme =
    forwardedScheme === "http" || forwardedScheme === "https" ? forwardedScheme : request.encrypted ? "https" : "http";
  if (forwardedHost === undefined) {
    return `${scheme}://${host}`;
  }
  const port = PORT.exec(forwardedHost)?.[0] ?? PORT.exec(host)?.[0] ?? "";
  return `${scheme}://${forwardedHost.replace(PORT, "")}${port}`;
}

function first(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.split(",")[0]?.trim();
}

/** Only what can be a host and port is echoed into URLs. */
function validHost(host: string | undefined): string | undefined {
  return host !== undefined && HOST.test(host) ? host : undefined;
}

function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;
const PORT = /:\d+$/;
