import { randomBytes, randomUUID } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { isUniqueViolation } from "@trefoil/database";
import { type Kysely } from "kysely";
import { ManagementError } from "../protocol/management-error.ts";
import { EntityCache } from "../store/entity-cache.ts";
import { type SharedChanges } from "../store/shared-changes.ts";
import { type SecretBox } from "../store/secret-box.ts";
import { type IdentityTables, type TenantRow } from "../store/tables.ts";
import { type Tenant } from "./tenant.ts";

const CACHE_LIMIT = 10_000;
const SUBJECT_KEY_BYTES = 32;
/** More than there ever are processes that make tenants at one moment. */
const INSERT_ATTEMPTS = 100;
export const SUBJECT_KEY_CONTEXT = "identity/tenant-subject-key";
/** Labels of letters, digits and hyphens, at least two of them. (RFC 1123 §2.1) */
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

export interface NewTenant {
  readonly displayName: string;
  readonly domain: string;
  /** A GUID in lower case; made when absent. */
  readonly id?: string;
}

/** What of a tenant may change; absent members stay. */
export type TenantChange = Partial<Pick<Tenant, "displayName" | "toleratesLineBreaksInX5c" | "requiresSecondFactor">>;

/** Keeps the tenants and finds them by GUID or domain without a query once known. */
export class TenantStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #secrets: SecretBox;
  readonly #clock: Clock;
  readonly #byIdOrDomain: EntityCache<Tenant>;

  constructor(database: Kysely<IdentityTables>, secrets: SecretBox, clock: Clock, changes: SharedChanges) {
    this.#database = database;
    this.#secrets = secrets;
    this.#clock = clock;
    this.#byIdOrDomain = new EntityCache((key) => this.#read(key), CACHE_LIMIT, changes);
  }

  /** @param idOrDomain  a GUID or a domain in any case */
  find(idOrDomain: string): Tenant | Promise<Tenant | undefined> {
    return this.#byIdOrDomain.find(idOrDomain.toLowerCase());
  }

  /** Oldest first. */
  async list(): Promise<readonly Tenant[]> {
    const rows = await this.#database.selectFrom("tenants").selectAll().orderBy("position").execute();
    return Promise.all(rows.map((row) => this.#tenantOf(row)));
  }

  /** @throws ManagementError for a name that isn't a domain and for one that is taken */
  async create(input: NewTenant): Promise<Tenant> {
    const domain = input.domain.toLowerCase();
    if (!DOMAIN.test(domain)) {
      throw new ManagementError("Request_BadRequest", `'${input.domain}' is not a domain name like contoso.example`);
    }
    const subjectKeyBytes = randomBytes(SUBJECT_KEY_BYTES);
    const id = input.id ?? randomUUID();
    const row = {
      id,
      display_name: input.displayName,
      subject_key_sealed: Buffer.from(this.#secrets.seal(subjectKeyBytes, SUBJECT_KEY_CONTEXT)),
      created_at_ms: this.#clock.now(),
      tolerates_line_breaks: 0,
      requires_second_factor: 0,
    };
    for (let attempt = 1; !(await this.#insert(row, domain)); attempt += 1) {
      const isTaken = (await this.#read(domain)) !== undefined || (await this.#read(id)) !== undefined;
      if (isTaken || attempt === INSERT_ATTEMPTS) {
        throw new ManagementError("Request_Conflict", `The domain ${domain} belongs to another tenant`);
      }
    }
    await this.#byIdOrDomain.invalidate();
    return this.#tenantOf({ ...row, position: 0 });
  }

  /** @returns false when a key is taken: the domain, or the position by another process at the same moment */
  async #insert(row: Omit<TenantRow, "position">, domain: string): Promise<boolean> {
    try {
      await this.#database.transaction().execute(async (transaction) => {
        const last = await transaction
          .selectFrom("tenants")
          .select((select) => select.fn.max("position").as("position"))
          .executeTakeFirst();
        const position = Number(last?.position ?? 0) + 1;
        await transaction
          .insertInto("tenants")
          .values({ ...row, position })
          .execute();
        await transaction.insertInto("tenant_domains").values({ domain, tenant_id: row.id, is_default: 1 }).execute();
      });
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) {
        return false;
      }
      throw error;
    }
  }

  async update(tenant: Tenant, change: TenantChange): Promise<void> {
    const { displayName, toleratesLineBreaksInX5c, requiresSecondFactor } = { ...tenant, ...change };
    await this.#database
      .updateTable("tenants")
      .set({
        display_name: displayName,
        tolerates_line_breaks: Number(toleratesLineBreaksInX5c),
        requires_second_factor: Number(requiresSecondFactor),
      })
      .where("id", "=", tenant.id)
      .execute();
    await this.#byIdOrDomain.invalidate();
  }

  async #read(idOrDomain: string): Promise<Tenant | undefined> {
    if (idOrDomain.includes("\0")) {
      return undefined;
    }
    const row = await this.#database
      .selectFrom("tenants")
      .selectAll()
      .where((where) =>
        where.or([
          where("id", "=", idOrDomain),
          where("id", "in", where.selectFrom("tenant_domains").select("tenant_id").where("domain", "=", idOrDomain)),
        ]),
      )
      .executeTakeFirst();
    return row === undefined ? undefined : this.#tenantOf(row);
  }

  async #tenantOf(row: TenantRow): Promise<Tenant> {
    const domains = await this.#database
      .selectFrom("tenant_domains")
      .select(["domain"])
      .where("tenant_id", "=", row.id)
      .orderBy("is_default", "desc")
      .orderBy("domain")
      .execute();
    return {
      id: row.id,
      displayName: row.display_name,
      domains: domains.map((each) => each.domain),
      defaultDomain: domains[0]?.domain ?? row.id,
      subjectKeyBytes: this.#secrets.open(row.subject_key_sealed, SUBJECT_KEY_CONTEXT),
      toleratesLineBreaksInX5c: row.tolerates_line_breaks === 1,
      requiresSecondFactor: row.requires_second_factor === 1,
      createdAtMs: row.created_at_ms,
    };
  }
}
