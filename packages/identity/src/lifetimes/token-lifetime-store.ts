import { randomUUID } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { type Kysely, type Transaction } from "kysely";
import { type Application } from "../applications/application.ts";
import { EntityCache } from "../store/entity-cache.ts";
import { type SharedChanges } from "../store/shared-changes.ts";
import { type IdentityTables } from "../store/tables.ts";
import { whenKnown } from "../store/when-known.ts";
import { readLifetimes, type TokenLifetimes } from "./lifetime-definition.ts";

/** How long tokens of a tenant live, where somebody decided so. */
export interface TokenLifetimePolicy {
  readonly id: string;
  readonly displayName: string;
  /** As it was entered: JSON inside a text. */
  readonly definition: string;
  /** For every application of the tenant that has no policy of its own. */
  readonly isDefault: boolean;
}

/** What a policy is given to: the registration, or its principal in one tenant. */
export type PolicyTarget =
  | { readonly kind: "application"; readonly id: string }
  | { readonly kind: "servicePrincipal"; readonly id: string };

interface TenantPolicies {
  readonly all: ReadonlyMap<string, TokenLifetimePolicy>;
  readonly default: TokenLifetimes | undefined;
  readonly byTarget: ReadonlyMap<string, { readonly policyId: string; readonly lifetimes: TokenLifetimes }>;
}

const CACHE_LIMIT = 10_000;
const NONE: TokenLifetimes = {};

/** Keeps the policies about token lifetimes; finds the one that counts without a query once known. */
export class TokenLifetimeStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;
  readonly #byTenant: EntityCache<TenantPolicies>;

  constructor(database: Kysely<IdentityTables>, clock: Clock, changes: SharedChanges) {
    this.#database = database;
    this.#clock = clock;
    this.#byTenant = new EntityCache((tenantId) => this.#read(tenantId), CACHE_LIMIT, changes);
  }

  /**
   * What counts for an application: the policy of its principal in the tenant, else of its registration, else of the
   * tenant. (decisions/0091)
   */
  of(tenantId: string, application: Application | undefined): TokenLifetimes | Promise<TokenLifetimes> {
    return whenKnown(this.#byTenant.find(tenantId), (policies) => {
      if (policies === undefined || policies.all.size === 0) {
        return NONE;
      }
      const principalId = application?.servicePrincipals.get(tenantId) ?? "";
      const own = policies.byTarget.get(principalId) ?? policies.byTarget.get(application?.id ?? "");
      return own?.lifetimes ?? policies.default ?? NONE;
    });
  }

  /** Those of a tenant by name. */
  async list(tenantId: string): Promise<readonly TokenLifetimePolicy[]> {
    return [...((await this.#byTenant.find(tenantId))?.all.values() ?? [])];
  }

  /** The one given to a target itself. */
  async findAssigned(tenantId: string, target: PolicyTarget): Promise<TokenLifetimePolicy | undefined> {
    const policies = await this.#byTenant.find(tenantId);
    return policies?.all.get(policies.byTarget.get(target.id)?.policyId ?? "");
  }

  /** Of several defaults the latest counts: the others stop being one. */
  async save(
    tenantId: string,
    policy: Omit<TokenLifetimePolicy, "id"> & { readonly id?: string },
  ): Promise<TokenLifetimePolicy> {
    const id = policy.id ?? randomUUID();
    const columns = {
      display_name: policy.displayName,
      definition: policy.definition,
      is_default: Number(policy.isDefault),
    };
    await this.#change(async (transaction) => {
      if (policy.isDefault) {
        await transaction
          .updateTable("token_lifetime_policies")
          .set({ is_default: 0 })
          .where("tenant_id", "=", tenantId)
          .execute();
      }
      await transaction
        .insertInto("token_lifetime_policies")
        .values({ id, tenant_id: tenantId, ...columns, created_at_ms: this.#clock.now() })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
        .execute();
    });
    return { ...policy, id };
  }

  async delete(policyId: string): Promise<void> {
    await this.#change((transaction) =>
      transaction.deleteFrom("token_lifetime_policies").where("id", "=", policyId).execute(),
    );
  }

  /** In place of the one that the target has. */
  async assign(tenantId: string, policyId: string, { kind, id }: PolicyTarget): Promise<void> {
    await this.#change((transaction) =>
      transaction
        .insertInto("token_lifetime_assignments")
        .values({
          target_id: id,
          tenant_id: tenantId,
          policy_id: policyId,
          application_id: kind === "application" ? id : null,
          service_principal_id: kind === "servicePrincipal" ? id : null,
        })
        .onConflict((conflict) => conflict.column("target_id").doUpdateSet({ policy_id: policyId }))
        .execute(),
    );
  }

  async unassign({ id }: PolicyTarget): Promise<void> {
    await this.#change((transaction) =>
      transaction.deleteFrom("token_lifetime_assignments").where("target_id", "=", id).execute(),
    );
  }

  async #change(write: (transaction: Transaction<IdentityTables>) => Promise<unknown>): Promise<void> {
    try {
      await this.#database.transaction().execute(write);
    } finally {
      await this.#byTenant.invalidate();
    }
  }

  async #read(tenantId: string): Promise<TenantPolicies> {
    const policies = await this.#database
      .selectFrom("token_lifetime_policies")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .orderBy("display_name")
      .orderBy("id")
      .execute();
    const assignments = await this.#database
      .selectFrom("token_lifetime_assignments")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .execute();
    const lifetimes = new Map(policies.map((row) => [row.id, readLifetimes(row.definition)]));
    const fallback = policies.find((row) => row.is_default === 1)?.id;
    return {
      all: new Map(
        policies.map((row) => [
          row.id,
          {
            id: row.id,
            displayName: row.display_name,
            definition: row.definition,
            isDefault: row.is_default === 1,
          },
        ]),
      ),
      default: fallback === undefined ? undefined : lifetimes.get(fallback),
      byTarget: new Map(
        assignments.map((row) => [
          row.target_id,
          { policyId: row.policy_id, lifetimes: lifetimes.get(row.policy_id) ?? NONE },
        ]),
      ),
    };
  }
}
