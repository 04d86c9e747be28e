import "reflect-metadata"; // the X.509 library's dependency injection needs it, before the library itself
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  Extension,
  type JsonGeneralNames,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { createPrivateKey, createPublicKey, randomBytes, webcrypto } from "node:crypto";
import { isIP } from "node:net";
import { encodeNameConstraints, nameConstraintsOid } from "./name-constraints.ts";

cryptoProvider.set(webcrypto);

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const dayMs = 86_400_000;

/** Clients whose clock is a little behind accept a new certificate at once. */
const backdateMs = dayMs;
const authorityDays = 3650;
/** What browsers accept at most of any authority. */
const serverDays = 397;

export interface IssueAuthority {
  readonly keyPem: string;
  /** Host names and addresses besides this machine's own that it may certify. */
  readonly hosts: readonly string[];
  readonly nowMs: number;
}

/** A certificate authority of its own name per installation, for this machine's names only. PEM. */
export async function issueAuthority({ keyPem, hosts, nowMs }: IssueAuthority): Promise<string> {
  const keys = await importKeys(keyPem);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: `CN=Trefoil local authority ${await keyIdentifier(keyPem)}`,
    notBefore: new Date(nowMs - backdateMs),
    notAfter: new Date(nowMs + authorityDays * dayMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      new Extension(nameConstraintsOid, true, encodeNameConstraints(hosts)),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return `${certificate.toString("pem")}\n`;
}

export interface IssueServerCertificate {
  readonly authorityPem: string;
  readonly authorityKeyPem: string;
  readonly keyPem: string;
  /** Host names, wildcard names and addresses. */
  readonly names: readonly string[];
  readonly nowMs: number;
}

/** A certificate for TLS servers of these names. PEM. */
export async function issueServerCertificate(options: IssueServerCertificate): Promise<string> {
  const authority = new X509Certificate(options.authorityPem);
  const authorityKeys = await importKeys(options.authorityKeyPem);
  const keys = await importKeys(options.keyPem);
  const names: JsonGeneralNames = options.names.map((name) => ({ type: isIP(name) === 0 ? "dns" : "ip", value: name }));
  const notAfterMs = Math.min(options.nowMs + serverDays * dayMs, authority.notAfter.getTime());
  const certificate = await X509CertificateGenerator.create({
    serialNumber: newSerialNumber(),
    subject: "CN=Trefoil",
    issuer: authority.subject,
    notBefore: new Date(options.nowMs - backdateMs),
    notAfter: new Date(notAfterMs),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names),
      await AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return `${certificate.toString("pem")}\n`;
}

async function importKeys(keyPem: string): Promise<webcrypto.CryptoKeyPair> {
  const privateKey = createPrivateKey(keyPem);
  const pkcs8 = privateKey.export({ type: "pkcs8", format: "der" });
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return {
    privateKey: await webcrypto.subtle.importKey("pkcs8", pkcs8, algorithm, true, ["sign"]),
    publicKey: await webcrypto.subtle.importKey("spki", spki, algorithm, true, ["verify"]),
  };
}

/** Eight digits that tell this installation's authority from another's in a list of trusted ones. */
async function keyIdentifier(keyPem: string): Promise<string> {
  const spki = createPublicKey(keyPem).export({ type: "spki", format: "der" });
  const digest = await webcrypto.subtle.digest("SHA-256", spki);
  return Buffer.from(digest).toString("hex", 0, 4);
}

/** Positive and unpredictable (RFC 5280 §4.1.2.2). */
function newSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString("hex");
}
