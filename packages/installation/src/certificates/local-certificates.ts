import { StartError } from "@trefoil/base";
import { generateKeyPairSync } from "node:crypto";
import { isIP } from "node:net";
import path from "node:path";
import { makePrivateDirectory } from "../data-directory.ts";
import { inCriticalSection } from "../locks/critical-section.ts";
import { findFile, writePrivateFile } from "../private-file.ts";
import { encodeNameConstraints } from "./name-constraints.ts";
import { isUsable, namesOf, normaliseName, parseCertificate } from "./inspect.ts";

export interface CertificateNames {
  /** Host names and addresses by which the servers are reached besides this machine's own. */
  readonly hostNames?: readonly string[] | undefined;
  /** Storage accounts: each is covered as `<account>.localhost`, `<account>.blob.localhost` and `<account>.web.localhost`. */
  readonly accounts?: readonly string[] | undefined;
  /** Further domains below which each account has a name; the authority is good for all of a domain, so that it stays. */
  readonly accountDomains?: readonly string[] | undefined;
}

export interface LocalCertificates {
  /** What the servers present: both PEM. */
  readonly certificate: { readonly certPem: string; readonly keyPem: string };
  readonly certificateAuthorityPem: string;
  /** What clients are told to trust. */
  readonly certificateAuthorityFile: string;
  /** Whether this call made a new server certificate. */
  readonly isNew: boolean;
}

/** Covered always; a wildcard directly below `localhost` helps only some clients, so accounts are named as well. */
const ownNames = ["localhost", "127.0.0.1", "::1", "*.localhost"] as const;

/** Where every account has a name (rulings, All three 15). */
const ownDomains = ["localhost", "blob.localhost", "web.localhost"] as const;

export function certificateAuthorityFile(dataDirectory: string): string {
  return path.join(dataDirectory, "tls", "ca.pem");
}

/**
 * The installation's certificate authority and server certificate under `data/tls/`, made when they are missing,
 * damaged, near their end or short of a name. Names once covered stay covered: the three servers share one certificate
 * and know different names. May be called by several processes at once, and again at any time.
 */
export async function ensureLocalCertificates(
  dataDirectory: string,
  { hostNames = [], accounts = [], accountDomains = [] }: CertificateNames = {},
  nowMs: number = Date.now(),
): Promise<LocalCertificates> {
  const domains = accountDomains.map(checkedName);
  const wanted = [
    ...ownNames,
    ...hostNames.map(checkedName),
    ...accounts.flatMap((account) => [...ownDomains, ...domains].map((domain) => checkedName(`${account}.${domain}`))),
  ];
  return inCriticalSection(dataDirectory, async () => {
    const directory = await makePrivateDirectory(path.join(dataDirectory, "tls"));
    const at = (name: string): string => path.join(directory, name);
    const authorityKeyPem = await ensureKey(at("ca-key.pem"));
    const keyPem = await ensureKey(at("server-key.pem"));

    const presentPem = await findFile(at("server.pem"));
    const present = parseCertificate(presentPem);
    const names = [...new Set([...wanted, ...(present === undefined ? [] : namesOf(present))])];
    const isInDomain = (name: string): boolean => domains.some((domain) => name.endsWith(`.${domain}`));
    const hosts = [...domains, ...names.filter((name) => !isOwnName(name) && !isInDomain(name))].toSorted();

    let authorityPem = await findFile(at("ca.pem"));
    let authority = parseCertificate(authorityPem);
    const isAuthorityKept =
      authority !== undefined &&
      isUsable(authority, authorityKeyPem, nowMs) &&
      authority.raw.includes(Buffer.from(encodeNameConstraints(hosts)));
    if (!isAuthorityKept || authorityPem === undefined || authority === undefined) {
      const { issueAuthority } = await import("./issue.ts");
      authorityPem = await issueAuthority({ keyPem: authorityKeyPem, hosts, nowMs });
      authority = parseCertificate(authorityPem);
      await writePrivateFile(at("ca.pem"), authorityPem);
    }

    const isKept =
      present !== undefined &&
      isUsable(present, keyPem, nowMs, authority) &&
      wanted.every((name) => namesOf(present).includes(name));
    const certPem =
      isKept && presentPem !== undefined
        ? presentPem
        : await (
            await import("./issue.ts")
          ).issueServerCertificate({ authorityPem, authorityKeyPem, keyPem, names, nowMs });
    if (certPem !== presentPem) {
      await writePrivateFile(at("server.pem"), certPem);
    }
    return {
      certificate: { certPem, keyPem },
      certificateAuthorityPem: authorityPem,
      certificateAuthorityFile: at("ca.pem"),
      isNew: certPem !== presentPem,
    };
  });
}

function isOwnName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127\.[\d.]+$/.test(name);
}

function checkedName(name: string): string {
  if (isIP(name) === 0 && !/^(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]{0,250}[a-z0-9_])?$/i.test(name)) {
    throw new StartError("configuration", `"${name}" is neither a host name nor an address`);
  }
  return normaliseName(name);
}

async function ensureKey(file: string): Promise<string> {
  const present = await findFile(file);
  if (present !== undefined) {
    return present;
  }
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  await writePrivateFile(file, pem);
  return pem;
}
