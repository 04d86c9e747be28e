import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { type Kysely } from "kysely";
import { IdentityError } from "../protocol/identity-error.ts";
import { type AuthorizationCodeRow, type IdentityTables } from "../store/tables.ts";
import { sha256 } from "../store/text-digest.ts";
import { type CodeChallenge } from "./authorize-request.ts";
import { type RefreshTokenStore } from "../tokens/refresh-token-store.ts";

/** Long enough for a slow redirect, short enough to be worthless to who finds it later. (reference §4.3) */
const LIFETIME_MS = 10 * 60_000;
const CODE_BYTES = 32;

/** What a code stands for. */
export interface CodeTerms {
  readonly tenantId: string;
  readonly appId: string;
  readonly userId: string;
  readonly redirectUri: string;
  readonly isRedirectUriRequired: boolean;
  readonly resource: string | undefined;
  readonly scope: string;
  readonly nonce: string | undefined;
  readonly codeChallenge: CodeChallenge | undefined;
  readonly methods: readonly string[];
  readonly authenticatedAtMs: number;
  readonly isAuthTimeAsked: boolean;
  /** The browser session, as clients know it. */
  readonly sessionId: string | undefined;
  /** The `claims` parameter as it came. */
  readonly claims: string | undefined;
  readonly ipAddress: string | undefined;
}

export interface RedeemedCode extends CodeTerms {
  readonly familyId: string;
}

/** What the client presents with a code. */
export interface Redemption {
  /** Whose token endpoint it is. */
  readonly tenantId: string;
  readonly appId: string;
  readonly redirectUri: string | undefined;
  readonly codeVerifier: string | undefined;
}

/** Keeps authorization codes by their SHA-256; each is good once. */
export class AuthorizationCodeStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #refreshTokens: RefreshTokenStore;
  readonly #clock: Clock;

  constructor(database: Kysely<IdentityTables>, refreshTokens: RefreshTokenStore, clock: Clock) {
    this.#database = database;
    this.#refreshTokens = refreshTokens;
    this.#clock = clock;
  }

  async create(terms: CodeTerms): Promise<string> {
    const code = randomBytes(CODE_BYTES).toString("base64url");
    const row: AuthorizationCodeRow = {
      code_sha256: sha256(code),
      tenant_id: terms.tenantId,
      app_id: terms.appId,
      user_id: terms.userId,
      redirect_uri: terms.redirectUri,
      is_redirect_uri_required: Number(terms.isRedirectUriRequired),
      resource: terms.resource ?? null,
      scope: terms.scope,
      nonce: terms.nonce ?? null,
      code_challenge: terms.codeChallenge?.value ?? null,
      code_challenge_method: terms.codeChallenge?.method ?? null,
      methods: terms.methods.join(" "),
      authenticated_at_ms: terms.authenticatedAtMs,
      is_auth_time_asked: Number(terms.isAuthTimeAsked),
      family_id: randomUUID(),
      expires_at_ms: this.#clock.now() + LIFETIME_MS,
      redeemed_at_ms: null,
      session_id: terms.sessionId ?? null,
      claims: terms.claims ?? null,
      ip_address: terms.ipAddress ?? null,
    };
    await this.#database.insertInto("authorization_codes").values(row).execute();
    return code;
  }

  /**
   * Judges a code without using it up. One that is presented after its use was copied by somebody: what the use gave is
   * revoked. (RFC 6749 §4.1.2, RFC 9700 §4.5)
   *
   * @throws IdentityError 70000 unknown, another client's or another reply address, 70008 expired, 700005 another
   *         tenant's, 501481 wrong verifier, 54005 redeemed before
   */
  async judge(code: string, redemption: Redemption): Promise<RedeemedCode> {
    const row = await this.#find(code);
    if (row === undefined || row.app_id !== redemption.appId) {
      throw new IdentityError(70000);
    }
    if (row.redeemed_at_ms !== null) {
      await this.#refreshTokens.revokeFamily(row.family_id);
      throw new IdentityError(54005);
    }
    if (row.expires_at_ms <= this.#clock.now()) {
      throw new IdentityError(70008);
    }
    if (row.tenant_id !== redemption.tenantId) {
      throw new IdentityError(700005);
    }
    const isSameAddress = redemption.redirectUri === row.redirect_uri;
    if (!isSameAddress && (row.is_redirect_uri_required === 1 || redemption.redirectUri !== undefined)) {
      throw new IdentityError(70000, {}, { detail: "the redirect_uri is not the one of the authorize request" });
    }
    if (!matchesChallenge(row, redemption.codeVerifier)) {
      throw new IdentityError(501481);
    }
    return termsOf(row);
  }

  /** Uses a code up; one statement decides who is first. @throws IdentityError 54005 for whoever isn't */
  async use(code: string, { familyId }: RedeemedCode): Promise<void> {
    const { numUpdatedRows } = await this.#database
      .updateTable("authorization_codes")
      .set({ redeemed_at_ms: this.#clock.now() })
      .where("code_sha256", "=", sha256(code))
      .where("redeemed_at_ms", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      await this.#refreshTokens.revokeFamily(familyId);
      throw new IdentityError(54005);
    }
  }

  /** The tenant a code belongs to, for requests whose address names none. */
  async findTenantId(code: string): Promise<string | undefined> {
    return (await this.#find(code))?.tenant_id;
  }

  /** Forgets codes a day after they expired; until then a second use is still recognised. */
  async sweep(): Promise<void> {
    await this.#database
      .deleteFrom("authorization_codes")
      .where("expires_at_ms", "<", this.#clock.now() - 24 * 3_600_000)
      .execute();
  }

  #find(code: string): Promise<AuthorizationCodeRow | undefined> {
    return this.#database
      .selectFrom("authorization_codes")
      .selectAll()
      .where("code_sha256", "=", sha256(code))
      .executeTakeFirst();
  }
}

/** A verifier without a challenge is refused as well: somebody stripped the challenge. (RFC 9700 §4.8.2) */
function matchesChallenge(row: AuthorizationCodeRow, verifier: string | undefined): boolean {
  if (row.code_challenge === null || verifier === undefined) {
    return row.code_challenge === null && verifier === undefined;
  }
  const derived =
    row.code_challenge_method === "S256" ? createHash("sha256").update(verifier).digest("base64url") : verifier;
  return timingSafeEqual(sha256(derived), sha256(row.code_challenge));
}

function termsOf(row: AuthorizationCodeRow): RedeemedCode {
  const { code_challenge: value, code_challenge_method: method } = row;
  return {
    tenantId: row.tenant_id,
    appId: row.app_id,
    userId: row.user_id,
    redirectUri: row.redirect_uri,
    isRedirectUriRequired: row.is_redirect_uri_required === 1,
    resource: row.resource ?? undefined,
    scope: row.scope,
    nonce: row.nonce ?? undefined,
    codeChallenge: value === null ? undefined : { value, method: method === "S256" ? "S256" : "plain" },
    methods: row.methods.split(" "),
    authenticatedAtMs: row.authenticated_at_ms,
    isAuthTimeAsked: row.is_auth_time_asked === 1,
    familyId: row.family_id,
    sessionId: row.session_id ?? undefined,
    claims: row.claims ?? undefined,
    ipAddress: row.ip_address ?? undefined,
  };
}
