import { randomFillSync, randomUUID } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { GroupedWrites, PreparedQuery } from "@trefoil/database";
import { type CompiledQuery, type Kysely } from "kysely";
import { IdentityError } from "../protocol/identity-error.ts";
import { LONGEST_ACCESS_TOKEN_SECONDS } from "../lifetimes/lifetime-definition.ts";
import { type RevokedTokens } from "../revocation/revoked-tokens.ts";
import { type IdentityTables, type RefreshTokenFamilyRow, type UserRow } from "../store/tables.ts";
import { sha256 } from "../store/text-digest.ts";
import { type User } from "../users/user.ts";
import { userOf } from "../users/user-store.ts";
import { familyMark } from "./access-token.ts";

/** The sign-in that refresh tokens stand for; those of all its resources are one family. (rulings, Identity 3) */
export interface RefreshTokenFamily {
  readonly id: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly appId: string;
  readonly methods: readonly string[];
  readonly authenticatedAtMs: number;
  /** No token of the family lives longer, however often it is exchanged; undefined: as long as it is used. */
  readonly endsAtMs?: number | undefined;
  /** The browser session it began in, as clients know it. */
  readonly sessionId?: string | undefined;
  /** Whether its code went to a page, which has no credential whatever else the application is. */
  readonly isSinglePage?: boolean | undefined;
}

/** What a policy says about refresh tokens; seconds. */
export interface RefreshTokenLifetimes {
  readonly maxInactiveSeconds?: number | undefined;
  readonly maxAgeSeconds?: number | undefined;
}

/** A sign-in that begins now. @param sign.id  when it was promised before, to a code */
export function newFamily(sign: Omit<RefreshTokenFamily, "id"> & { readonly id?: string }): RefreshTokenFamily {
  return { id: randomUUID(), ...sign };
}

/** What one refresh token was given for. */
export interface RefreshTokenTerms {
  /** The resource as the client named it. */
  readonly resource: string;
  /** The scopes as asked for, space separated. */
  readonly scope: string;
}

export interface PresentedRefreshToken extends RefreshTokenTerms {
  readonly family: RefreshTokenFamily;
  /** Who signed in; undefined when there is no such user any more. */
  readonly user: User | undefined;
}

/** A token with the sign-in it stands for and its user: each query of a request waits for the disk by itself. */
const presentedToken = new PreparedQuery((database: Kysely<IdentityTables>, values: { readonly digest: Buffer }) =>
  database
    .selectFrom("refresh_tokens as tokens")
    .innerJoin("refresh_token_families as families", "families.id", "tokens.family_id")
    .leftJoin("users", (join) =>
      join.onRef("users.id", "=", "families.user_id").onRef("users.tenant_id", "=", "families.tenant_id"),
    )
    .selectAll("users")
    .select([
      "families.id as family_id",
      "families.tenant_id as family_tenant_id",
      "families.user_id",
      "families.app_id",
      "families.methods",
      "families.authenticated_at_ms",
      "families.is_revoked",
      "families.ends_at_ms",
      "families.session_id",
      "families.is_single_page",
      "tokens.resource",
      "tokens.scope",
      "tokens.expires_at_ms",
    ])
    .where("tokens.token_sha256", "=", values.digest)
    .limit(1),
);

/** Marks a token as used unless it was, longer ago than parallel use is granted for. */
const useToken = new PreparedQuery(
  (database: Kysely<IdentityTables>, values: { digest: Buffer; nowMs: number; parallelSinceMs: number }) =>
    database
      .updateTable("refresh_tokens")
      .set((column) => ({ used_at_ms: column.fn.coalesce("used_at_ms", column.val(values.nowMs)) }))
      .where("token_sha256", "=", values.digest)
      .where((where) => where.or([where("used_at_ms", "is", null), where("used_at_ms", ">", values.parallelSinceMs)])),
);

const addFamily = new PreparedQuery((database: Kysely<IdentityTables>, row: RefreshTokenFamilyRow) =>
  database.insertInto("refresh_token_families").values({
    id: row.id,
    tenant_id: row.tenant_id,
    user_id: row.user_id,
    app_id: row.app_id,
    methods: row.methods,
    authenticated_at_ms: row.authenticated_at_ms,
    is_revoked: row.is_revoked,
    created_at_ms: row.created_at_ms,
    ends_at_ms: row.ends_at_ms,
    session_id: row.session_id,
    is_single_page: row.is_single_page,
  }),
);

const addToken = new PreparedQuery((database: Kysely<IdentityTables>, row: IdentityTables["refresh_tokens"]) =>
  database.insertInto("refresh_tokens").values({
    token_sha256: row.token_sha256,
    family_id: row.family_id,
    resource: row.resource,
    scope: row.scope,
    issued_at_ms: row.issued_at_ms,
    expires_at_ms: row.expires_at_ms,
    used_at_ms: row.used_at_ms,
  }),
);

const TOKEN_BYTES = 32;
/** A client with several processes may exchange one token in all of them at once. (rulings, Identity 3) */
const PARALLEL_USE_MS = 30_000;

/** Keeps refresh tokens by their SHA-256: who reads the database can't use them. */
export class RefreshTokenStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #writes: GroupedWrites<IdentityTables>;
  readonly #clock: Clock;
  readonly #lifetimeMs: number;
  readonly #revokedTokens: RevokedTokens;

  constructor(database: Kysely<IdentityTables>, clock: Clock, lifetimeSeconds: number, revokedTokens: RevokedTokens) {
    this.#database = database;
    this.#writes = new GroupedWrites(database);
    this.#clock = clock;
    this.#revokedTokens = revokedTokens;
    this.#lifetimeMs = lifetimeSeconds * 1000;
  }

  /** The first refresh token of a sign-in. */
  async begin(
    sign: RefreshTokenFamily,
    terms: RefreshTokenTerms,
    lifetimes: RefreshTokenLifetimes = {},
  ): Promise<string> {
    const token = newToken();
    const family = { ...sign, endsAtMs: earliest(sign.endsAtMs, endOfAge(sign, lifetimes)) };
    const familyRow = {
      id: family.id,
      tenant_id: family.tenantId,
      user_id: family.userId,
      app_id: family.appId,
      methods: family.methods.join(" "),
      authenticated_at_ms: family.authenticatedAtMs,
      is_revoked: 0,
      created_at_ms: this.#clock.now(),
      ends_at_ms: family.endsAtMs ?? null,
      session_id: family.sessionId ?? null,
      is_single_page: family.isSinglePage === true ? 1 : 0,
    };
    const row = this.#row(token, family, terms, lifetimes);
    await this.#writes.run([addFamily.with(this.#database, familyRow), addToken.with(this.#database, row)]);
    await this.#endIfRevoked(family.id);
    return token;
  }

  /**
   * The next refresh token of the same sign-in. A policy that came meanwhile counts from now on.
   *
   * @param usedUp  the token it comes in place of, when tokens rotate. Used again after the grace for parallel use it
   *                means that somebody else has a copy, and the whole family is revoked. One statement, so that two
   *                exchanges at once can't both be the first.
   * @throws IdentityError 50173 used again
   */
  async extend(
    sign: RefreshTokenFamily,
    terms: RefreshTokenTerms,
    lifetimes: RefreshTokenLifetimes = {},
    usedUp?: string,
  ): Promise<string> {
    const token = newToken();
    const family = { ...sign, endsAtMs: earliest(sign.endsAtMs, endOfAge(sign, lifetimes)) };
    const addition = addToken.with(this.#database, this.#row(token, family, terms, lifetimes));
    const isFirstUse = await this.#writes.run(usedUp === undefined ? [addition] : [this.#use(usedUp), addition]);
    if (!isFirstUse) {
      await this.revokeFamily(family.id);
      throw new IdentityError(50173, {}, { detail: "a rotated refresh token was used again: its family is revoked" });
    }
    return token;
  }

  /**
   * Judges a presented token without using it up.
   *
   * @param by.isAhead  the caller stores the next token before he answers, and refuses after {@link whenOnDisk} only
   * @param by.isPage  the client has no credential because it is a page: only tokens of pages are for it
   * @throws IdentityError 70000 unknown or another client's, 50173 revoked, 700082 or 700084 expired, 7000218 when a
   *         credential is needed
   */
  async present(
    token: string,
    by: { readonly appId: string; readonly isPage?: boolean; readonly isAhead?: boolean },
  ): Promise<PresentedRefreshToken> {
    const nowMs = this.#clock.now();
    const values = { digest: sha256(token) };
    const found =
      by.isAhead === true
        ? presentedToken.runAhead(this.#database, values)
        : presentedToken.run(this.#database, values);
    const [row] = (await found).rows;
    if (row === undefined || row.app_id !== by.appId) {
      throw new IdentityError(70000);
    }
    if (by.isPage === true && row.is_single_page === 0) {
      throw new IdentityError(7000218);
    }
    if (row.is_revoked === 1) {
      throw new IdentityError(50173);
    }
    if (row.expires_at_ms <= nowMs) {
      throw new IdentityError(row.is_single_page === 1 ? 700084 : 700082);
    }
    return {
      resource: row.resource,
      scope: row.scope,
      user: row.id === null ? undefined : userOf(row as UserRow),
      family: {
        id: row.family_id,
        tenantId: row.family_tenant_id,
        userId: row.user_id,
        appId: row.app_id,
        methods: row.methods.split(" "),
        authenticatedAtMs: row.authenticated_at_ms,
        endsAtMs: row.ends_at_ms ?? undefined,
        sessionId: row.session_id ?? undefined,
        isSinglePage: row.is_single_page === 1,
      },
    };
  }

  /** Returns when everything that was read ahead is on disk: as every query does. */
  async whenOnDisk(): Promise<void> {
    await this.#database.selectFrom("refresh_token_families").select("id").limit(1).execute();
  }

  /** The tenant a token belongs to, for requests whose address names none. */
  async findTenantId(token: string): Promise<string | undefined> {
    const row = await this.#database
      .selectFrom("refresh_tokens as tokens")
      .innerJoin("refresh_token_families as families", "families.id", "tokens.family_id")
      .select("families.tenant_id")
      .where("tokens.token_sha256", "=", sha256(token))
      .executeTakeFirst();
    return row?.tenant_id;
  }

  /**
   * Ends a sign-in: its refresh tokens, and the access tokens that were made from it. The mark comes first: a family that
   * is being begun at this moment finds it.
   */
  async revokeFamily(familyId: string): Promise<void> {
    // Whatever a policy said, none of them lives longer from now.
    const latestExpirySeconds = Math.ceil(this.#clock.now() / 1000) + LONGEST_ACCESS_TOKEN_SECONDS;
    await this.#revokedTokens.revoke({ id: familyMark(familyId), expiresAtSeconds: latestExpirySeconds });
    await this.#endFamily(familyId);
  }

  /** Forgets what has expired. */
  async sweep(): Promise<void> {
    const nowMs = this.#clock.now();
    await this.#database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("refresh_tokens").where("expires_at_ms", "<", nowMs).execute();
      await transaction
        .deleteFrom("refresh_token_families")
        .where("created_at_ms", "<", nowMs - this.#lifetimeMs)
        .where("id", "not in", transaction.selectFrom("refresh_tokens").select("family_id"))
        .execute();
    });
  }

  /**
   * A code that is presented twice at once revokes what it gives before that is there. Looked at after the family is
   * written: whoever revokes writes the mark first and ends the family then, so one of the two finds the other.
   */
  async #endIfRevoked(familyId: string): Promise<void> {
    const mark = await this.#database
      .selectFrom("revoked_tokens")
      .select("token_id")
      .where("token_id", "=", familyMark(familyId))
      .executeTakeFirst();
    if (mark !== undefined) {
      await this.#endFamily(familyId);
    }
  }

  #use(token: string): CompiledQuery {
    const nowMs = this.#clock.now();
    const values = { digest: sha256(token), nowMs, parallelSinceMs: nowMs - PARALLEL_USE_MS };
    return useToken.with(this.#database, values);
  }

  async #endFamily(familyId: string): Promise<void> {
    await this.#database
      .updateTable("refresh_token_families")
      .set({ is_revoked: 1 })
      .where("id", "=", familyId)
      .execute();
  }

  #row(
    token: string,
    family: RefreshTokenFamily,
    terms: RefreshTokenTerms,
    { maxInactiveSeconds }: RefreshTokenLifetimes,
  ): IdentityTables["refresh_tokens"] {
    const nowMs = this.#clock.now();
    const lifetimeMs = maxInactiveSeconds === undefined ? this.#lifetimeMs : maxInactiveSeconds * 1000;
    return {
      token_sha256: sha256(token),
      family_id: family.id,
      resource: terms.resource,
      scope: terms.scope,
      issued_at_ms: nowMs,
      expires_at_ms: Math.min(nowMs + lifetimeMs, family.endsAtMs ?? Infinity),
      used_at_ms: null,
    };
  }
}

function endOfAge(
  { authenticatedAtMs }: RefreshTokenFamily,
  { maxAgeSeconds }: RefreshTokenLifetimes,
): number | undefined {
  return maxAgeSeconds === undefined ? undefined : authenticatedAtMs + maxAgeSeconds * 1000;
}

function earliest(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined ? right : Math.min(left, right ?? Infinity);
}

/** Random bytes of tokens to come: asked for one by one they cost more than a small query. */
const stock = Buffer.alloc(TOKEN_BYTES * 64);
let stockUsed = stock.length;

/** 256 random bits, which are kept nowhere once they are handed out. */
function newToken(): string {
  if (stockUsed === stock.length) {
    randomFillSync(stock);
    stockUsed = 0;
  }
  const begin = stockUsed;
  stockUsed += TOKEN_BYTES;
  const token = stock.toString("base64url", begin, stockUsed);
  stock.fill(0, begin, stockUsed);
  return token;
}
