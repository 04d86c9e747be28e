import { randomUUID } from "node:crypto";
import { type Application } from "../applications/application.ts";
import { type CertificateEntry, type SecretEntry } from "../applications/application-credentials.ts";
import { readCertificate } from "../applications/client-certificate.ts";
import { secretOf } from "../applications/client-secret.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type JsonInput } from "./json-input.ts";
import { readGuid } from "./read-application.ts";

/** How long a secret is good for unless told otherwise. */
const SECRET_YEARS = 2;
const SHORTEST_SECRET = 16;

/**
 * The certificates that a list of `keyCredentials` leaves: an entry without its value keeps the certificate that has
 * its id, since a value that was hidden on the way out can't come back in; one with a value comes new or takes the
 * place of its id; what isn't listed goes. (identity §2; reference §11)
 *
 * @param entries  each with `keyId` and `key`; `value` is the classic name of `key`
 * @throws ManagementError for an entry without value whose id is unknown, a repeated id, and what isn't a certificate
 */
export function readCertificates(application: Application, entries: readonly JsonInput[]): CertificateEntry[] {
  const known = new Map(application.certificates.map((each) => [each.id, each]));
  const planned = entries.map((entry): CertificateEntry => {
    const keyId = findKeyId(entry);
    const text = entry.findText("key") ?? entry.findText("value");
    if (text === undefined) {
      return keep(keyId, known, "certificate");
    }
    const certificate = readCertificate(text);
    const same = application.certificates.find(
      (each) => certificate.der.equals(each.der) && (keyId === undefined || keyId === each.id),
    );
    return same !== undefined
      ? { keep: same.id }
      : {
          id: keyId ?? randomUUID(),
          certificate,
          displayName: entry.findText("displayName") ?? "",
          startsAtMs: certificate.startsAtMs,
          endsAtMs: certificate.endsAtMs,
        };
  });
  refuseRepeated(planned);
  return planned;
}

/**
 * The same for `passwordCredentials`. A secret of the caller's choice may come as `secretText` or `value`; the one that
 * is registered already is recognised and kept.
 */
export function readSecrets(application: Application, entries: readonly JsonInput[], nowMs: number): SecretEntry[] {
  const known = new Map(application.secrets.map((each) => [each.id, each]));
  const planned = entries.map((entry): SecretEntry => {
    const keyId = findKeyId(entry);
    const text = entry.findText("secretText") ?? entry.findText("value");
    if (text === undefined) {
      return keep(keyId, known, "secret");
    }
    if (text.length < SHORTEST_SECRET) {
      throw new ManagementError("Request_BadRequest", `A secret has at least ${SHORTEST_SECRET} characters`);
    }
    const secret = secretOf(text);
    const same = application.secrets.find((each) => secret.sha256.equals(each.sha256));
    return same !== undefined ? { keep: same.id } : { id: keyId ?? randomUUID(), secret, ...readTerms(entry, nowMs) };
  });
  refuseRepeated(planned);
  return planned;
}

/** Name and validity of a secret; both spellings of the two times are understood. */
export function readTerms(
  input: JsonInput,
  nowMs: number,
): { readonly displayName: string; readonly startsAtMs: number; readonly endsAtMs: number } {
  const startsAtMs = input.findTimeMs("startDateTime") ?? input.findTimeMs("startDate") ?? nowMs;
  const end = new Date(startsAtMs);
  end.setUTCFullYear(end.getUTCFullYear() + SECRET_YEARS);
  const endsAtMs = input.findTimeMs("endDateTime") ?? input.findTimeMs("endDate") ?? end.getTime();
  if (endsAtMs <= startsAtMs) {
    throw new ManagementError("Request_BadRequest", "'endDateTime' must be later than 'startDateTime'");
  }
  return { displayName: input.findText("displayName") ?? "", startsAtMs, endsAtMs };
}

function findKeyId(entry: JsonInput): string | undefined {
  const keyId = entry.findText("keyId");
  return keyId === undefined ? undefined : readGuid(keyId);
}

function keep(keyId: string | undefined, known: ReadonlyMap<string, unknown>, what: string): { keep: string } {
  if (keyId === undefined || !known.has(keyId)) {
    throw new ManagementError(
      "Request_BadRequest",
      `A ${what} without its value must have the 'keyId' of one that is registered`,
    );
  }
  return { keep: keyId };
}

function refuseRepeated(entries: readonly (CertificateEntry | SecretEntry)[]): void {
  const ids = entries.map((entry) => ("keep" in entry ? entry.keep : entry.id));
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) {
    throw new ManagementError("Request_BadRequest", `The credential '${repeated}' is there twice`);
  }
}
