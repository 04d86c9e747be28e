import { randomUUID } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { isUniqueViolation } from "@trefoil/database";
import { type Kysely } from "kysely";
import { ManagementError } from "../protocol/management-error.ts";
import { EntityCache } from "../store/entity-cache.ts";
import { type SharedChanges } from "../store/shared-changes.ts";
import { type FederatedCredentialRow, type IdentityTables } from "../store/tables.ts";
import { type FederatedCredential } from "./federated-credential.ts";

const CACHE_LIMIT = 10_000;
/** As many as clients of the interface expect an application to have. */
const PER_APPLICATION = 20;

/** Keeps the federated credentials of applications; finds those of one without a query once known. */
export class FederatedCredentialStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;
  readonly #byApplication: EntityCache<readonly FederatedCredential[]>;

  constructor(database: Kysely<IdentityTables>, clock: Clock, changes: SharedChanges) {
    this.#database = database;
    this.#clock = clock;
    this.#byApplication = new EntityCache((id) => this.#read(id), CACHE_LIMIT, changes);
  }

  /** Those of an application by name. @param applicationId  its object id */
  async of(applicationId: string): Promise<readonly FederatedCredential[]> {
    return (await this.#byApplication.find(applicationId)) ?? [];
  }

  /** @throws ManagementError when name, or issuer and subject, are taken, and for one too many */
  async add(applicationId: string, credential: Omit<FederatedCredential, "id">): Promise<FederatedCredential> {
    if ((await this.#read(applicationId)).length >= PER_APPLICATION) {
      throw new ManagementError(
        "Request_BadRequest",
        `An application has at most ${PER_APPLICATION} federated credentials`,
      );
    }
    const id = randomUUID();
    const { name, ...terms } = credential;
    await this.#change(() =>
      this.#database
        .insertInto("federated_credentials")
        .values({ id, application_id: applicationId, name, ...columnsOf(terms), created_at_ms: this.#clock.now() })
        .execute(),
    );
    return { id, ...credential };
  }

  /** The name stays. @throws ManagementError when another one has this issuer and subject */
  async update({ id, issuer, subject, audiences, description }: FederatedCredential): Promise<void> {
    await this.#change(() =>
      this.#database
        .updateTable("federated_credentials")
        .set(columnsOf({ issuer, subject, audiences, description }))
        .where("id", "=", id)
        .execute(),
    );
  }

  async remove({ id }: FederatedCredential): Promise<void> {
    await this.#change(() => this.#database.deleteFrom("federated_credentials").where("id", "=", id).execute());
  }

  async #change(write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw isUniqueViolation(error)
        ? new ManagementError(
            "Request_Conflict",
            "The application has a federated credential of this name, or of this issuer and subject",
            { cause: error },
          )
        : error;
    } finally {
      await this.#byApplication.invalidate();
    }
  }

  async #read(applicationId: string): Promise<readonly FederatedCredential[]> {
    const rows = await this.#database
      .selectFrom("federated_credentials")
      .selectAll()
      .where("application_id", "=", applicationId)
      .orderBy("name")
      .execute();
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      issuer: row.issuer,
      subject: row.subject,
      audiences: JSON.parse(row.audiences) as readonly string[],
      description: row.description,
    }));
  }
}

function columnsOf(
  terms: Omit<FederatedCredential, "id" | "name">,
): Pick<FederatedCredentialRow, "issuer" | "subject" | "audiences" | "description"> {
  return { ...terms, audiences: JSON.stringify(terms.audiences) };
}
