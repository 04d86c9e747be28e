import { randomUUID } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { isUniqueViolation } from "@trefoil/database";
import { type Kysely, type Transaction } from "kysely";
import { ManagementError } from "../protocol/management-error.ts";
import { EntityCache } from "../store/entity-cache.ts";
import { type ApplicationRow, type IdentityTables } from "../store/tables.ts";
import { type Application, type ApplicationDocument, newApplicationDocument } from "./application.ts";
import { type RegisteredCertificate, clientCertificateOf } from "./client-certificate.ts";
import { type NewSecret } from "./client-secret.ts";
import { readIdentifierUri } from "./identifier-uri.ts";

const CACHE_LIMIT = 20_000;

/** What a registration is made from. */
export interface NewApplication {
  readonly displayName: string;
  readonly document?: Partial<ApplicationDocument>;
  readonly identifierUris?: readonly string[];
}

/** What of a registration may change; absent members stay. */
export interface ApplicationChange {
  readonly displayName?: string | undefined;
  readonly document?: Partial<ApplicationDocument> | undefined;
  readonly identifierUris?: readonly string[] | undefined;
}

/** A validity period and a name to recognise a credential by. */
export interface CredentialTerms {
  readonly displayName: string;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
}

/** Keeps the application registrations; finds clients and resources without a query once known. */
export class ApplicationStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;
  readonly #byAppId: EntityCache<Application>;
  /** Keys are tenant and App ID URI. */
  readonly #byUri: EntityCache<Application>;

  constructor(database: Kysely<IdentityTables>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#byAppId = new EntityCache((appId) => this.#readBy("app_id", appId), CACHE_LIMIT);
    this.#byUri = new EntityCache((key) => this.#readByUri(key), CACHE_LIMIT);
  }

  /** @param appId  the `client_id` in any case */
  findByAppId(appId: string): Promise<Application | undefined> {
    return this.#byAppId.find(appId.toLowerCase());
  }

  findByIdentifierUri(tenantId: string, uri: string): Promise<Application | undefined> {
    return this.#byUri.find(`${tenantId} ${uri}`);
  }

  /** @param id  the object id */
  findById(id: string): Promise<Application | undefined> {
    return this.#readBy("id", id.toLowerCase());
  }

  /** Those of a tenant by name. */
  async list(tenantId: string): Promise<readonly Application[]> {
    const rows = await this.#database
      .selectFrom("applications")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .orderBy("display_name")
      .orderBy("id")
      .execute();
    return Promise.all(rows.map((row) => this.#applicationOf(row)));
  }

  /** @throws ManagementError when an App ID URI is malformed or belongs to another application of the tenant */
  async create(tenantId: string, input: NewApplication): Promise<Application> {
    const id = randomUUID();
    const document: ApplicationDocument = { ...newApplicationDocument, ...input.document };
    await this.#change(async (transaction) => {
      const row = {
        id,
        tenant_id: tenantId,
        app_id: randomUUID(),
        display_name: input.displayName,
        document: JSON.stringify(document),
        created_at_ms: this.#clock.now(),
      };
      await transaction.insertInto("applications").values(row).execute();
      const principal = { id: randomUUID(), tenant_id: tenantId, application_id: id };
      await transaction.insertInto("service_principals").values(principal).execute();
      await writeIdentifierUris(transaction, tenantId, id, input.identifierUris ?? []);
    });
    return this.#get(id);
  }

  async update(application: Application, change: ApplicationChange): Promise<Application> {
    await this.#change(async (transaction) => {
      // The document is read again inside: two changes at once must not undo each other.
      const { document } = await transaction
        .selectFrom("applications")
        .select("document")
        .where("id", "=", application.id)
        .executeTakeFirstOrThrow();
      await transaction
        .updateTable("applications")
        .set({
          document: JSON.stringify({ ...readDocument(document), ...change.document }),
          ...(change.displayName === undefined ? {} : { display_name: change.displayName }),
        })
        .where("id", "=", application.id)
        .execute();
      if (change.identifierUris !== undefined) {
        await transaction
          .deleteFrom("application_identifier_uris")
          .where("application_id", "=", application.id)
          .execute();
        await writeIdentifierUris(transaction, application.tenantId, application.id, change.identifierUris);
      }
    });
    return this.#get(application.id);
  }

  async delete(id: string): Promise<void> {
    await this.#change(async (transaction) => {
      await transaction.deleteFrom("applications").where("id", "=", id).execute();
    });
  }

  /** @returns the id of the new secret */
  async addSecret(applicationId: string, secret: NewSecret, terms: CredentialTerms): Promise<string> {
    const id = randomUUID();
    await this.#change(async (transaction) => {
      await transaction
        .insertInto("application_secrets")
        .values({ ...termsRow(id, applicationId, terms), hint: secret.hint, secret_sha256: secret.sha256 })
        .execute();
    });
    return id;
  }

  /** @returns whether there was one */
  removeSecret(applicationId: string, secretId: string): Promise<boolean> {
    return this.#removeCredential("application_secrets", applicationId, secretId);
  }

  /** @returns the id of the new certificate */
  async addCertificate(
    applicationId: string,
    certificate: RegisteredCertificate,
    displayName: string,
  ): Promise<string> {
    const id = randomUUID();
    await this.#change(async (transaction) => {
      await transaction
        .insertInto("application_certificates")
        .values({
          ...termsRow(id, applicationId, { ...certificate, displayName }),
          certificate_der: certificate.der,
        })
        .execute();
    });
    return id;
  }

  /** @returns whether there was one */
  removeCertificate(applicationId: string, certificateId: string): Promise<boolean> {
    return this.#removeCredential("application_certificates", applicationId, certificateId);
  }

  async #removeCredential(
    table: "application_secrets" | "application_certificates",
    applicationId: string,
    id: string,
  ): Promise<boolean> {
    return this.#change(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom(table)
        .where("application_id", "=", applicationId)
        .where("id", "=", id.toLowerCase())
        .executeTakeFirst();
      return numDeletedRows > 0n;
    });
  }

  /** Every change in one transaction, after which nothing cached is believed. */
  async #change<Result>(write: (transaction: Transaction<IdentityTables>) => Promise<Result>): Promise<Result> {
    try {
      return await this.#database.transaction().execute(write);
    } catch (error) {
      throw isUniqueViolation(error)
        ? new ManagementError("Request_Conflict", "An App ID URI belongs to another application of the tenant", {
            cause: error,
          })
        : error;
    } finally {
      this.#byAppId.invalidate();
      this.#byUri.invalidate();
    }
  }

  async #get(id: string): Promise<Application> {
    const application = await this.findById(id);
    if (application === undefined) {
      throw new ManagementError("Request_ResourceNotFound", `There is no application ${id}`);
    }
    return application;
  }

  async #readBy(column: "id" | "app_id", value: string): Promise<Application | undefined> {
    const row = value.includes("\0")
      ? undefined
      : await this.#database.selectFrom("applications").selectAll().where(column, "=", value).executeTakeFirst();
    return row === undefined ? undefined : this.#applicationOf(row);
  }

  async #readByUri(key: string): Promise<Application | undefined> {
    const space = key.indexOf(" ");
    if (key.includes("\0")) {
      return undefined;
    }
    const row = await this.#database
      .selectFrom("applications")
      .innerJoin("application_identifier_uris as uris", "uris.application_id", "applications.id")
      .selectAll("applications")
      .where("uris.tenant_id", "=", key.slice(0, space))
      .where("uris.uri", "=", key.slice(space + 1))
      .executeTakeFirst();
    return row === undefined ? undefined : this.#applicationOf(row);
  }

  async #applicationOf(row: ApplicationRow): Promise<Application> {
    const database = this.#database;
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
}

/** A document of an earlier release lacks the members that came later. */
function readDocument(text: string): ApplicationDocument {
  return { ...newApplicationDocument, ...(JSON.parse(text) as Partial<ApplicationDocument>) };
}

function termsRow(
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

async function writeIdentifierUris(
  transaction: Transaction<IdentityTables>,
  tenantId: string,
  applicationId: string,
  uris: readonly string[],
): Promise<void> {
  for (const uri of new Set(uris.map(readIdentifierUri))) {
    await transaction
      .insertInto("application_identifier_uris")
      .values({ tenant_id: tenantId, application_id: applicationId, uri })
      .execute();
  }
}
