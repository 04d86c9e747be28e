import { createPrivateKey, X509Certificate } from "node:crypto";

/** A certificate is renewed when less than this is left of it. */
const renewBeforeMs = 30 * 86_400_000;

/** The certificate in a PEM text, or `undefined` when there is none that can be read. */
export function parseCertificate(pem: string | undefined): X509Certificate | undefined {
  try {
    return pem === undefined ? undefined : new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** Whether the certificate is of this key, signed by the authority (when given) and far from its end. */
export function isUsable(
  certificate: X509Certificate,
  keyPem: string,
  nowMs: number,
  authority: X509Certificate = certificate,
): boolean {
  return (
    certificate.checkPrivateKey(createPrivateKey(keyPem)) &&
    certificate.verify(authority.publicKey) &&
    certificate.checkIssued(authority) &&
    Date.parse(certificate.validTo) - nowMs > renewBeforeMs &&
    Date.parse(certificate.validFrom) <= nowMs
  );
}

/** The subject alternative names: host names and IP addresses, in lower case. */
export function namesOf(certificate: X509Certificate): readonly string[] {
  return (certificate.subjectAltName ?? "")
    .split(", ")
    .map((entry) => /^(?:DNS|IP Address):(.*)$/.exec(entry)?.[1])
    .filter((name) => name !== undefined)
    .map(normaliseName);
}

/** One spelling per name: lower case, IPv6 addresses in their shortest form. */
export function normaliseName(name: string): string {
  return name.includes(":") ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name.toLowerCase();
}
