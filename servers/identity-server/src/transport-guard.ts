import { type TLSSocket } from "node:tls";
import { isLoopbackAddress } from "@trefoil/http";
import { type IdentityGuards } from "@trefoil/identity";

/**
 * Whether a browser's request came over TLS: to us, or to a proxy on this machine that says so. An installation whose
 * public address is plain http has decided otherwise, and is not sent round in circles. (rulings, Identity 5)
 */
export function createTransportGuard(settings: { readonly publicUrl: string }): IdentityGuards["isSecure"] {
  return ({ raw }) =>
    (raw.socket as Partial<TLSSocket>).encrypted === true ||
    (isLoopbackAddress(raw.socket.remoteAddress) && raw.headers["x-forwarded-proto"] === "https") ||
    settings.publicUrl.startsWith("http:");
}
