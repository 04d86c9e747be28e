import type { ServerOptions } from "node:https";
import type { ListenerOptions } from "./listener.ts";

/** A certificate (with its chain) and its private key, both PEM. */
export interface ServerCertificate {
  readonly certPem: string;
  readonly keyPem: string;
}

export interface TlsListenerOptions extends ListenerOptions {
  readonly certificate: ServerCertificate;
}

/** TLS 1.2 with forward secrecy and authenticated encryption only, or 1.3 (RFC 9325 §3, §4.2). */
export function tlsOptions(certificate: ServerCertificate): ServerOptions {
  return {
    cert: certificate.certPem,
    key: certificate.keyPem,
    // No client is asked for a certificate. Without this, Node reads all its roots when the first listener is made.
    ca: [],
    minVersion: "TLSv1.2",
    ciphers: [
      "TLS_AES_128_GCM_SHA256",
      "TLS_AES_256_GCM_SHA384",
      "TLS_CHACHA20_POLY1305_SHA256",
      "ECDHE-ECDSA-AES128-GCM-SHA256",
      "ECDHE-RSA-AES128-GCM-SHA256",
      "ECDHE-ECDSA-AES256-GCM-SHA384",
      "ECDHE-RSA-AES256-GCM-SHA384",
      "ECDHE-ECDSA-CHACHA20-POLY1305",
      "ECDHE-RSA-CHACHA20-POLY1305",
    ].join(":"),
    honorCipherOrder: true,
    ALPNProtocols: ["http/1.1"],
    handshakeTimeout: 10_000,
  };
}
