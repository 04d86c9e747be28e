import { createHash, X509Certificate } from "node:crypto";
import { ManagementError } from "../protocol/management-error.ts";
import { type CertificateRow } from "../store/tables.ts";
import { type ClientCertificate } from "./application.ts";

const SMALLEST_MODULUS_BITS = 2048;
const PEM_ARMOUR = /-----(BEGIN|END) CERTIFICATE-----/g;

/** A certificate as it is registered: its bytes and the time it covers. */
export interface RegisteredCertificate {
  readonly der: Buffer;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
}

/**
 * Reads a certificate for registration: base64 DER, with or without PEM armour and line breaks.
 *
 * @throws ManagementError when it isn't a certificate or its key isn't RSA of at least 2048 bits
 */
export function readCertificate(text: string): RegisteredCertificate {
  const base64 = text.replace(PEM_ARMOUR, "").replace(/\s/g, "");
  const der = Buffer.from(base64, "base64");
  const certificate = parse(der);
  const key = certificate.publicKey;
  const modulusBits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== "rsa" || modulusBits < SMALLEST_MODULUS_BITS) {
    throw new ManagementError("Request_BadRequest", "The certificate's key must be RSA of at least 2048 bits");
  }
  return {
    // Bytes after the certificate are not part of it.
    der: certificate.raw,
    startsAtMs: Date.parse(certificate.validFrom),
    endsAtMs: Date.parse(certificate.validTo),
  };
}

/** The registered certificate ready to verify with. */
export function clientCertificateOf(row: CertificateRow): ClientCertificate {
  return {
    id: row.id,
    displayName: row.display_name,
    der: row.certificate_der,
    sha1Thumbprint: thumbprint("sha1", row.certificate_der),
    sha256Thumbprint: thumbprint("sha256", row.certificate_der),
    publicKey: parse(row.certificate_der).publicKey,
    startsAtMs: row.starts_at_ms,
    endsAtMs: row.ends_at_ms,
  };
}

/** base64url digest of the certificate's bytes, as `x5t` and `x5t#S256` carry it. (RFC 7515 §4.1.7) */
export function thumbprint(algorithm: "sha1" | "sha256", der: Uint8Array): string {
  return createHash(algorithm).update(der).digest("base64url");
}

function parse(der: Buffer): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch (cause) {
    throw new ManagementError("Request_BadRequest", "The value is not a certificate in base64 DER or PEM", { cause });
  }
}
