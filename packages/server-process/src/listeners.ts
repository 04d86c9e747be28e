import type { Configuration } from "@trefoil/config";
import { addressesToBind, type HttpServerOptions, type ServerCertificate } from "@trefoil/http";

/**
 * A server's listeners as its keys say, for `createHttpServer`. Identity's http listener stays on this machine
 * whatever its address is (rulings, Identity 5).
 */
export function listenersOf(
  configuration: Configuration,
  server: "identity" | "objects" | "graph",
  certificate: ServerCertificate,
): Pick<HttpServerOptions, "http" | "https" | "closeGraceMs"> {
  const addresses = addressesToBind(configuration.get(`${server}.address`));
  const plainAddresses = server === "identity" ? addressesToBind("127.0.0.1") : addresses;
  return {
    http: configuration.get(`${server}.http.enabled`)
      ? { addresses: plainAddresses, port: configuration.get(`${server}.http.port`) }
      : undefined,
    https: configuration.get(`${server}.https.enabled`)
      ? { addresses, port: configuration.get(`${server}.https.port`), certificate }
      : undefined,
    closeGraceMs: configuration.get("shutdown.grace"),
  };
}
