import { randomUUID } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { isUniqueViolation } from "@trefoil/database";
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, type Transaction } from "kysely";
import { ManagementError } from "../protocol/management-error.ts";
import { EntityCache } from "../store/entity-cache.ts";
import { type SharedChanges } from "../store/shared-changes.ts";
import { type IdentityTables } from "../store/tables.ts";
import { type Application, type ApplicationDocument, newApplicationDocument } from "./application.ts";
import {
  type CertificateEntry,
  type CredentialTerms,
  type SecretEntry,
  termsRow,
  writeCertificates,
  writeSecrets,
} from "./application-credentials.ts";
import { applicationOf, readDocument } from "./application-rows.ts";
import { type RegisteredCertificate } from "./client-certificate.ts";
import { type NewSecret } from "./client-secret.ts";
import { readIdentifierUri } from "./identifier-uri.ts";

const CACHE_LIMIT = 20_000;

/** What a registration is made from. */
export interface NewApplication {
  readonly displayName: string;
  /** A GUID in lower case; made when absent. */
  readonly appId?: string | undefined;
  readonly document?: Partial<ApplicationDocument>;
  readonly identifierUris?: readonly string[];
}

/** What of a registration may change; absent members stay. */
export interface ApplicationChange {
  readonly displayName?: string | undefined;
  readonly document?: Partial<ApplicationDocument> | undefined;
  readonly identifierUris?: readonly string[] | undefined;
  /** All certificates from now on, in place of the ones there are. */
  readonly certificates?: readonly CertificateEntry[] | undefined;
  /** All secrets from now on, in place of the ones there are. */
  readonly secrets?: readonly SecretEntry[] | undefined;
}

/** A place in the order by name, in which pages of a list follow each other. */
export interface NamePlace {
  readonly name: string;
  readonly id: string;
}

/** Keeps the application registrations; finds clients and resources without a query once known. */
export class ApplicationStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;
  readonly #byAppId: EntityCache<Application>;
  /** Keys are tenant and App ID URI. */
  readonly #byUri: EntityCache<Application>;

  constructor(database: Kysely<IdentityTables>, clock: Clock, changes: SharedChanges) {
    this.#database = database;
    this.#clock = clock;
    this.#byAppId = new EntityCache((appId) => this.#readBy("app_id", appId), CACHE_LIMIT, changes);
    this.#byUri = new EntityCache((key) => this.#readByUri(key), CACHE_LIMIT, changes);
  }

  /** @param appId  the `client_id` in any case */
  findByAppId(appId: string): Application | Promise<Application | undefined> {
    return this.#byAppId.find(appId.toLowerCase());
  }

  findByIdentifierUri(tenantId: string, uri: string): Application | Promise<Application | undefined> {
    return this.#byUri.find(`${tenantId} ${uri}`);
  }

  /** @param id  the object id */
  findById(id: string): Promise<Application | undefined> {
    return this.#readBy("id", id.toLowerCase());
  }

  /** Names need not be unique. */
  async findByName(tenantId: string, displayName: string): Promise<readonly Application[]> {
    if (displayName.includes("\0")) {
      return [];
    }
    const rows = await this.#database
      .selectFrom("applications")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .where("display_name", "=", displayName)
      .orderBy("id")
      .execute();
    return Promise.all(rows.map((row) => applicationOf(this.#database, row)));
  }

  /** Those of a tenant by name and object id, after the place given. */
  async page(tenantId: string, limit: number, after?: NamePlace): Promise<readonly Application[]> {
    const rows = await this.#database
      .selectFrom("applications")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .$if(after !== undefined, (query) => query.where((where) => isBehind(where, after)))
      .orderBy("display_name")
      .orderBy("id")
      .limit(limit)
      .execute();
    return Promise.all(rows.map((row) => applicationOf(this.#database, row)));
  }

  /** Applications of any tenant that have a principal in this one, in the same order. */
  async pageWithPrincipal(tenantId: string, limit: number, after?: NamePlace): Promise<readonly Application[]> {
    const rows = await this.#database
      .selectFrom("applications")
      .selectAll()
      .where((where) =>
        where(
          "id",
          "in",
          where.selectFrom("service_principals").select("application_id").where("tenant_id", "=", tenantId),
        ),
      )
      .$if(after !== undefined, (query) => query.where((where) => isBehind(where, after)))
      .orderBy("display_name")
      .orderBy("id")
      .limit(limit)
      .execute();
    return Promise.all(rows.map((row) => applicationOf(this.#database, row)));
  }

  /** @param principalId  the object id of the application's principal in the tenant */
  async findByPrincipal(tenantId: string, principalId: string): Promise<Application | undefined> {
    if (principalId.includes("\0")) {
      return undefined;
    }
    const row = await this.#database
      .selectFrom("applications")
      .innerJoin("service_principals", "service_principals.application_id", "applications.id")
      .selectAll("applications")
      .where("service_principals.tenant_id", "=", tenantId)
      .where("service_principals.id", "=", principalId.toLowerCase())
      .executeTakeFirst();
    return row === undefined ? undefined : applicationOf(this.#database, row);
  }

  /** Gives an application a principal in another tenant: from then on it is at home there too. */
  async admit(application: Application, tenantId: string): Promise<Application> {
    await this.#change(async (transaction) => {
      await transaction
        .insertInto("service_principals")
        .values({ id: randomUUID(), tenant_id: tenantId, application_id: application.id })
        .onConflict((conflict) => conflict.columns(["application_id", "tenant_id"]).doNothing())
        .execute();
    });
    return this.#get(application.id);
  }

  /** Takes the principal away again. */
  async dismiss(application: Application, tenantId: string): Promise<void> {
    await this.#change(async (transaction) => {
      await transaction
        .deleteFrom("service_principals")
        .where("application_id", "=", application.id)
        .where("tenant_id", "=", tenantId)
        .execute();
    });
  }

  /** @throws ManagementError when an App ID URI is malformed or belongs to another application of the tenant */
  async create(tenantId: string, input: NewApplication): Promise<Application> {
    const id = randomUUID();
    const document: ApplicationDocument = { ...newApplicationDocument, ...input.document };
    await this.#change(async (transaction) => {
      const row = {
        id,
        tenant_id: tenantId,
        app_id: input.appId ?? randomUUID(),
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
      if (change.certificates !== undefined) {
        await writeCertificates(transaction, application.id, change.certificates);
      }
      if (change.secrets !== undefined) {
        await writeSecrets(transaction, application.id, change.secrets);
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
        ? new ManagementError("Request_Conflict", "Another application has this App ID URI or client id", {
            cause: error,
          })
        : error;
    } finally {
      await this.#byAppId.invalidate();
      await this.#byUri.invalidate();
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
    return row === undefined ? undefined : applicationOf(this.#database, row);
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
    return row === undefined ? undefined : applicationOf(this.#database, row);
  }
}

/** Behind a place in the order by name and id. */
function isBehind(
  where: ExpressionBuilder<IdentityTables, "applications">,
  { name, id }: NamePlace = { name: "", id: "" },
): Expression<SqlBool> {
  return where.or([
    where("display_name", ">", name),
    where.and([where("display_name", "=", name), where("applications.id", ">", id)]),
  ]);
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
