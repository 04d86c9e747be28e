import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** Whether an IP address is this machine's own: 127.0.0.0/8, ::1, or the former mapped into IPv6. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address !== undefined && /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/i.test(address);
}

/**
 * Whether a request was made on this machine: the other end of the socket is a loopback address and no proxy says
 * that it speaks for somebody else.
 */
export function isLoopbackRequest(request: IncomingMessage): boolean {
  return isLoopbackAddress(request.socket.remoteAddress) && !isForwarded(request.headers);
}

/** By the headers that a proxy adds: with one of them the request may come from anywhere. Asked for at every request. */
function isForwarded(headers: IncomingHttpHeaders): boolean {
  return (
    headers.forwarded !== undefined ||
    headers["x-forwarded-for"] !== undefined ||
    headers["x-forwarded-host"] !== undefined ||
    headers["x-real-ip"] !== undefined ||
    headers.via !== undefined
  );
}

/**
 * Whether a `Host` header (or the host of an `Origin`) names this machine: `localhost`, a name below it or a loopback
 * address, with or without a port. A page of a foreign site that had its name resolved to 127.0.0.1 does not pass.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined) {
    return false;
  }
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1];
  const name = (bracketed ?? host.replace(/:\d*$/, "")).toLowerCase().replace(/\.$/, "");
  return name === "localhost" || name.endsWith(".localhost") || isLoopbackAddress(name);
}

/** The default address means both loopback addresses: many systems resolve `localhost` to ::1 first (rulings, Graph 12). */
export function addressesToBind(address: string): readonly string[] {
  return address === "127.0.0.1" || address === "localhost" ? ["127.0.0.1", "::1"] : [address];
}
