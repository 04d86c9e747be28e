import { randomBytes } from "node:crypto";
import { type Clock, must } from "@trefoil/base";
import { isUniqueViolation } from "@trefoil/database";
import { type Kysely } from "kysely";
import { type ApplicationStore } from "../applications/application-store.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { EntityCache } from "../store/entity-cache.ts";
import { type SharedChanges } from "../store/shared-changes.ts";
import { type IdentityTables, type ManagedIdentityRow } from "../store/tables.ts";
import { sha256 } from "../store/text-digest.ts";
import { type ManagedIdentity } from "./managed-identity.ts";

/** 256 bits: guessing is hopeless, so a fast digest is enough at rest. */
const HEADER_BYTES = 32;
const CACHE_LIMIT = 10_000;
/** What fits into a resource address and a list. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,127}$/u;

export interface NewManagedIdentity {
  readonly name: string;
  readonly resourceAppIds: readonly string[];
}

/** Keeps managed identities and finds them by the header value that their hosted applications send. */
export class ManagedIdentityStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #applications: ApplicationStore;
  readonly #clock: Clock;
  /** By base64 digest of the header value. */
  readonly #byHeader: EntityCache<ManagedIdentityRow>;

  constructor(database: Kysely<IdentityTables>, applications: ApplicationStore, clock: Clock, changes: SharedChanges) {
    this.#database = database;
    this.#applications = applications;
    this.#clock = clock;
    this.#byHeader = new EntityCache((digest) => this.#readByHeader(digest), CACHE_LIMIT, changes);
  }

  /**
   * Makes an identity. The header value is in the answer and nowhere else.
   *
   * @throws ManagementError for a malformed or taken name
   */
  async create(
    tenantId: string,
    input: NewManagedIdentity,
  ): Promise<{ readonly identity: ManagedIdentity; readonly header: string }> {
    if (!NAME.test(input.name)) {
      throw new ManagementError("Request_BadRequest", `'${input.name}' cannot be the name of a managed identity`);
    }
    const document = { isManagedIdentity: true };
    const application = await this.#applications.create(tenantId, { displayName: input.name, document });
    const header = randomBytes(HEADER_BYTES).toString("base64url");
    const row: ManagedIdentityRow = {
      application_id: application.id,
      tenant_id: tenantId,
      name: input.name,
      header_sha256: sha256(header),
      resources: JSON.stringify(input.resourceAppIds),
      created_at_ms: this.#clock.now(),
    };
    try {
      await this.#database.insertInto("managed_identities").values(row).execute();
    } catch (error) {
      await this.#applications.delete(application.id);
      throw isUniqueViolation(error)
        ? new ManagementError("Request_Conflict", `There already is a managed identity ${input.name}`)
        : error;
    }
    return { identity: must(await this.#identityOf(row), "it was made just now"), header };
  }

  async list(tenantId: string): Promise<readonly ManagedIdentity[]> {
    const rows = await this.#database
      .selectFrom("managed_identities")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .orderBy("name")
      .execute();
    const identities = await Promise.all(rows.map((row) => this.#identityOf(row)));
    return identities.filter((identity) => identity !== undefined);
  }

  async findByName(tenantId: string, name: string): Promise<ManagedIdentity | undefined> {
    return (await this.list(tenantId)).find((identity) => identity.name === name);
  }

  /** @param header  the secret as it was sent; compared by its digest, so how long that takes tells nothing */
  async findByHeader(header: string): Promise<ManagedIdentity | undefined> {
    const row = await this.#byHeader.find(sha256(header).toString("base64"));
    return row === undefined ? undefined : this.#identityOf(row);
  }

  async delete(identity: ManagedIdentity): Promise<void> {
    await this.#applications.delete(identity.application.id);
    await this.#byHeader.invalidate();
  }

  async #readByHeader(digest: string): Promise<ManagedIdentityRow | undefined> {
    return this.#database
      .selectFrom("managed_identities")
      .selectAll()
      .where("header_sha256", "=", Buffer.from(digest, "base64"))
      .executeTakeFirst();
  }

  async #identityOf(row: ManagedIdentityRow): Promise<ManagedIdentity | undefined> {
    const application = await this.#applications.findById(row.application_id);
    const principalId = application?.servicePrincipals.get(row.tenant_id);
    return application === undefined || principalId === undefined
      ? undefined
      : {
          tenantId: row.tenant_id,
          name: row.name,
          application,
          principalId,
          resourceAppIds: JSON.parse(row.resources) as readonly string[],
          createdAtMs: row.created_at_ms,
        };
  }
}
