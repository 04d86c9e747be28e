import { type Clock } from "@trefoil/base";
import { type Application } from "../applications/application.ts";
import { type ApplicationStore } from "../applications/application-store.ts";
import { type SharedChanges } from "../store/shared-changes.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type TenantStore } from "../tenants/tenant-store.ts";
import { type OwnAccessToken, type OwnAccessTokens, type TokenFlaw } from "../tokens/own-access-token.ts";
import { type User } from "../users/user.ts";
import { type UserStore } from "../users/user-store.ts";
import { REVOCATIONS_AT_MOST_OLD_MS, type RevokedTokens } from "./revoked-tokens.ts";

/** An access token whose tenant, client and user are as good as they were when it was made. */
export interface LiveToken {
  readonly token: OwnAccessToken;
  readonly tenant: Tenant;
  /** Undefined for a token without a user. */
  readonly user: User | undefined;
}

/** Why a token no longer counts although it is ours and its time is not over. */
export type TokenEnd =
  | "revoked"
  | "tenant gone"
  | "client gone or disabled"
  | "user gone or disabled"
  | "sign-in ended";

export interface LiveTokensContext {
  readonly changes: SharedChanges;
  readonly accessTokens: OwnAccessTokens;
  readonly revokedTokens: RevokedTokens;
  readonly tenants: TenantStore;
  readonly applications: ApplicationStore;
  readonly users: UserStore;
  readonly clock: Clock;
}

const USER_LIMIT = 20_000;

/**
 * Judges access tokens that come back to us. Revocations and users are at most five seconds old; nothing else needs a
 * query. (rulings, Identity 12)
 */
export class LiveTokens {
  readonly #context: LiveTokensContext;
  readonly #users = new Map<string, { readonly user: User | undefined; readonly readAtMs: number }>();

  constructor(context: LiveTokensContext) {
    this.#context = context;
  }

  async judge(text: string): Promise<LiveToken | TokenFlaw | TokenEnd> {
    // Another process may have made the key a moment ago.
    const checking = this.#context.changes.check();
    if (checking !== undefined) {
      await checking;
    }
    const token = this.#context.accessTokens.verify(text);
    if (typeof token === "string") {
      return token;
    }
    const tenant = await this.#context.tenants.find(token.tenantId);
    if (tenant === undefined) {
      return "tenant gone";
    }
    if (await this.#context.revokedTokens.isRevoked(token.id, token.familyMark)) {
      return "revoked";
    }
    if (!isGood(await this.#context.applications.findByAppId(token.clientAppId), tenant)) {
      return "client gone or disabled";
    }
    if (token.kind === "application") {
      return { token, tenant, user: undefined };
    }
    const user = await this.#findUser(tenant.id, token.objectId);
    if (user?.isEnabled !== true) {
      return "user gone or disabled";
    }
    // Tokens tell their time in seconds: one made in the same second as the end of all sessions still counts.
    return token.issuedAtSeconds < Math.floor(user.sessionsValidFromMs / 1000)
      ? "sign-in ended"
      : { token, tenant, user };
  }

  async revoke(token: OwnAccessToken): Promise<void> {
    await this.#context.revokedTokens.revoke(token);
  }

  async #findUser(tenantId: string, userId: string): Promise<User | undefined> {
    const nowMs = this.#context.clock.now();
    const key = `${tenantId} ${userId}`;
    const known = this.#users.get(key);
    if (known !== undefined && nowMs - known.readAtMs < REVOCATIONS_AT_MOST_OLD_MS) {
      return known.user;
    }
    const user = await this.#context.users.findById(tenantId, userId);
    if (this.#users.size >= USER_LIMIT) {
      this.#users.clear();
    }
    this.#users.set(key, { user, readAtMs: nowMs });
    return user;
  }
}

function isGood(client: Application | undefined, tenant: Tenant): boolean {
  return client?.document.isEnabled === true && client.servicePrincipals.has(tenant.id);
}
