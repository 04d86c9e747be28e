import { type AuditParty } from "../audit/audit-event.ts";
import { type AuthenticatedClient, type ClientEvidence } from "../applications/authenticate-client.ts";
import { type Resource } from "../applications/application.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { type IdentityServices } from "../services.ts";
import { type TenantChoice } from "../tenants/resolve-tenant.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type TokenTimes } from "../tokens/access-token.ts";
import { type TokenProfile } from "./token-profile.ts";

/** A token request whose shape was checked, on its way through the grant. */
export interface GrantRequest {
  readonly services: IdentityServices;
  readonly profile: TokenProfile;
  readonly form: FormBody;
  readonly tenantChoice: TenantChoice;
  readonly evidence: ClientEvidence;
  /** The page that sent the request, if a page did. */
  readonly origin: string | undefined;
  readonly ipAddress: string | undefined;
  readonly nowMs: number;
}

/**
 * One way of getting tokens. The phases are the same for all: which tenant, which client, then what only this grant
 * knows.
 */
export interface Grant {
  /** Values of `grant_type`. */
  readonly names: readonly string[];
  /** Whether pages of a single-page application use it, without a credential. */
  readonly servesPages?: true;
  /** Which tenant the request is about. @throws IdentityError when it can't be told or may not be asked */
  findTenant(request: GrantRequest): Tenant | Promise<Tenant>;
  /** @throws IdentityError for every refusal */
  run(request: GrantRequest, tenant: Tenant, client: AuthenticatedClient): Promise<IssuedTokens>;
}

/** What a grant gives; the profile writes it down. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly tenantId: string;
  readonly clientAppId: string;
  /** On whose behalf the token is used. */
  readonly subject: AuditParty;
  readonly times: TokenTimes;
  readonly resource: Resource;
  /** Short names of the delegated permissions; undefined without a user. */
  readonly scopes: readonly string[] | undefined;
  /** The scopes as the caller spelt them, for answers that repeat the spelling. */
  readonly scopeText: string;
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
  /** Who signed in, for clients that ask with `client_info=1`. */
  readonly clientInfo: string | undefined;
}
