import { type Kysely } from "kysely";
import { type ApplicationRow, type IdentityTables } from "../store/tables.ts";
import { type Application, type ApplicationDocument, newApplicationDocument } from "./application.ts";
import { clientCertificateOf } from "./client-certificate.ts";

/** Reads what belongs to a row of `applications`: App ID URIs, credentials and principals. */
export async function applicationOf(database: Kysely<IdentityTables>, row: ApplicationRow): Promise<Application> {
  const uris = await database
    .selectFrom("application_identifier_uris")
    .select("uri")
    .where("application_id", "=", row.id)
    .orderBy("uri")
    .execute();
  const secrets = await database
    .selectFrom("application_secrets")
    .selectAll()
    .where("application_id", "=", row.id)
    .orderBy("starts_at_ms")
    .orderBy("id")
    .execute();
  const certificates = await database
    .selectFrom("application_certificates")
    .selectAll()
    .where("application_id", "=", row.id)
    .orderBy("starts_at_ms")
    .orderBy("id")
    .execute();
  const principals = await database
    .selectFrom("service_principals")
    .select(["id", "tenant_id"])
    .where("application_id", "=", row.id)
    .execute();
  return {
    id: row.id,
    appId: row.app_id,
    tenantId: row.tenant_id,
    displayName: row.display_name,
    createdAtMs: row.created_at_ms,
    document: readDocument(row.document),
    identifierUris: uris.map((each) => each.uri),
    secrets: secrets.map((secret) => ({
      id: secret.id,
      displayName: secret.display_name,
      hint: secret.hint,
      sha256: secret.secret_sha256,
      startsAtMs: secret.starts_at_ms,
      endsAtMs: secret.ends_at_ms,
    })),
    certificates: certificates.map(clientCertificateOf),
    servicePrincipals: new Map(principals.map((principal) => [principal.tenant_id, principal.id])),
  };
}

/** A document of an earlier release lacks the members that came later. */
export function readDocument(text: string): ApplicationDocument {
  return { ...newApplicationDocument, ...(JSON.parse(text) as Partial<ApplicationDocument>) };
}
