import { type Application } from "../applications/application.ts";
import { type Target, type TokenProfile } from "../grants/token-profile.ts";
import { type PasswordOwner } from "../sign-in/submit-sign-in.ts";
import { type TenantChoice } from "../tenants/resolve-tenant.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { type RequestedClaims } from "../tokens/requested-claims.ts";

export type ResponseType = "code" | "id_token" | "token";
export type ResponseMode = "query" | "fragment" | "form_post";
export type Prompt = "none" | "login" | "consent" | "admin_consent" | "select_account" | "create";

/** Where and how an answer goes: known before the rest of the request is judged, so that errors go there as well. */
export interface ReplyAddress {
  readonly redirectUri: string;
  readonly responseMode: ResponseMode;
  readonly state: string | undefined;
  /** Whose answer it is, errors included; of `common` the issuer with its placeholder, for other answers none. (RFC 9207 §2) */
  readonly issuer?: string | undefined;
}

/** A request to an authorize endpoint whose every parameter was judged. */
export interface AuthorizeRequest extends ReplyAddress {
  readonly profile: TokenProfile;
  readonly tenantChoice: TenantChoice;
  readonly application: Application;
  /** Whether the reply address was in the request: then the code's redemption must repeat it. */
  readonly namesRedirectUri: boolean;
  readonly responseTypes: ReadonlySet<ResponseType>;
  readonly target: Target;
  /** Other resources that the user is asked for at the same time. */
  readonly furtherTargets: readonly Target[];
  /** All scopes as they came. */
  readonly scopeText: string;
  readonly nonce: string | undefined;
  readonly prompts: ReadonlySet<Prompt>;
  readonly loginHint: string | undefined;
  /** Whom the `id_token_hint` is about: nobody else gets an answer. */
  readonly hintedUserId: string | undefined;
  /** Of the tenant whose domain the client named: on `common` others aren't meant. */
  readonly hintedTenant: Tenant | undefined;
  readonly maxAgeSeconds: number | undefined;
  readonly requestedClaims: RequestedClaims;
  /** The same as it came. */
  readonly claimsText: string | undefined;
  readonly codeChallenge: CodeChallenge | undefined;
  readonly wantsClientInfo: boolean;
}

export interface CodeChallenge {
  readonly method: "S256" | "plain";
  readonly value: string;
}

/** What a page needs to know when its form comes back: the request it is about, sometimes who proved a password. */
export interface AuthorizeFormState {
  /** The authorize request's parameters as they came. */
  readonly parameters: string;
  readonly tenantSegment: string;
  readonly version: 1 | 2;
  /** Set on the pages that follow the password. */
  readonly passwordOf?: PasswordOwner | undefined;
  /** Set on the page that asks which of several accounts is meant. */
  readonly isChoice?: boolean | undefined;
  /** Set on the page that asks for consent: the session that was asked. */
  readonly consentOf?: string | undefined;
}
