import { type Transaction } from "kysely";
import { type IdentityTables } from "../store/tables.ts";
import { type RegisteredCertificate } from "./client-certificate.ts";
import { type NewSecret } from "./client-secret.ts";

/** A validity period and a name to recognise a credential by. */
export interface CredentialTerms {
  readonly displayName: string;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
}

/** One that stays, by its id, or one that comes. */
export type CertificateEntry =
  | { readonly keep: string }
  | ({ readonly id: string; readonly certificate: RegisteredCertificate } & CredentialTerms);
export type SecretEntry =
  | { readonly keep: string }
  | ({ readonly id: string; readonly secret: NewSecret } & CredentialTerms);

/** Registers the certificates that come and drops those that are neither kept nor new. */
export async function writeCertificates(
  transaction: Transaction<IdentityTables>,
  applicationId: string,
  entries: readonly CertificateEntry[],
): Promise<void> {
  await dropOthers(transaction, "application_certificates", applicationId, entries);
  for (const entry of entries) {
    if ("certificate" in entry) {
      const row = { ...termsRow(entry.id, applicationId, entry), certificate_der: entry.certificate.der };
      await transaction.insertInto("application_certificates").values(row).execute();
    }
  }
}

/** As {@link writeCertificates}. */
export async function writeSecrets(
  transaction: Transaction<IdentityTables>,
  applicationId: string,
  entries: readonly SecretEntry[],
): Promise<void> {
  await dropOthers(transaction, "application_secrets", applicationId, entries);
  for (const entry of entries) {
    if ("secret" in entry) {
      const { hint, sha256 } = entry.secret;
      const row = { ...termsRow(entry.id, applicationId, entry), hint, secret_sha256: sha256 };
      await transaction.insertInto("application_secrets").values(row).execute();
    }
  }
}

async function dropOthers(
  transaction: Transaction<IdentityTables>,
  table: "application_secrets" | "application_certificates",
  applicationId: string,
  entries: readonly (CertificateEntry | SecretEntry)[],
): Promise<void> {
  const kept = entries.flatMap((entry) => ("keep" in entry ? [entry.keep] : []));
  let query = transaction.deleteFrom(table).where("application_id", "=", applicationId);
  if (kept.length > 0) {
    query = query.where("id", "not in", kept);
  }
  await query.execute();
}

/** The columns that secrets and certificates share. */
export function termsRow(
  id: string,
  applicationId: string,
  terms: CredentialTerms,
): { id: string; application_id: string; display_name: string; starts_at_ms: number; ends_at_ms: number } {
  return {
    id,
    application_id: applicationId,
    display_name: terms.displayName,
    starts_at_ms: terms.startsAtMs,
    ends_at_ms: terms.endsAtMs,
  };
}
