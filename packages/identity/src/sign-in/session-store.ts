import { randomBytes, randomUUID } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { type Kysely } from "kysely";
import { type IdentityTables, type SessionRow } from "../store/tables.ts";
import { sha256 } from "../store/text-digest.ts";
import { type TokenVersion } from "../tokens/compact-jws.ts";
import { type User } from "../users/user.ts";
import { type UserStore } from "../users/user-store.ts";

/** A browser in which somebody is signed in. */
export interface Session {
  /** SHA-256 of the cookie's value. */
  readonly id: Uint8Array;
  /** GUID that clients see. */
  readonly publicId: string;
  readonly user: User;
  readonly methods: readonly string[];
  readonly authenticatedAtMs: number;
}

/** A client that a session was used for. */
export interface SessionClient {
  readonly appId: string;
  /** That of the endpoint it was last used at: the client knows this version's issuer. */
  readonly version: TokenVersion;
}

const LIFETIME_MS = 24 * 3_600_000;
/** With "stay signed in". (reference §5.3) */
export const LONG_LIFETIME_MS: number = 90 * 24 * 3_600_000;
const KEY_BYTES = 32;
/** The next sweep takes the rest. */
const EXPIRED_AT_ONCE = 1_000;

/** Keeps sessions by the SHA-256 of their cookie. */
export class SessionStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #users: UserStore;
  readonly #clock: Clock;

  constructor(database: Kysely<IdentityTables>, users: UserStore, clock: Clock) {
    this.#database = database;
    this.#users = users;
    this.#clock = clock;
  }

  /**
   * @param before  the user's session in the same browser, which the new one takes the place of
   * @returns the session and the value of its cookie, always a new one (against session fixation)
   */
  async begin(
    user: User,
    methods: readonly string[],
    stays: boolean,
    before?: Session,
  ): Promise<{ readonly session: Session; readonly key: string }> {
    const key = randomBytes(KEY_BYTES).toString("base64url");
    const authenticatedAtMs = this.#clock.now();
    const publicId = before?.publicId ?? randomUUID();
    const id = sha256(key);
    await this.#database.transaction().execute(async (transaction) => {
      await transaction
        .insertInto("sessions")
        .values({
          id_sha256: id,
          public_id: publicId,
          tenant_id: user.tenantId,
          user_id: user.id,
          methods: methods.join(" "),
          authenticated_at_ms: authenticatedAtMs,
          expires_at_ms: authenticatedAtMs + (stays ? LONG_LIFETIME_MS : LIFETIME_MS),
        })
        .execute();
      if (before !== undefined) {
        const old = Buffer.from(before.id);
        await transaction
          .updateTable("session_clients")
          .set({ session_sha256: id })
          .where("session_sha256", "=", old)
          .execute();
        await transaction.deleteFrom("sessions").where("id_sha256", "=", old).execute();
      }
    });
    return { session: { id, publicId, user, methods, authenticatedAtMs }, key };
  }

  /** @returns undefined for one that ended, by time, sign-out, a new password or a disabled account */
  async find(key: string | undefined): Promise<Session | undefined> {
    const row =
      key === undefined
        ? undefined
        : await this.#database
            .selectFrom("sessions")
            .selectAll()
            .where("id_sha256", "=", sha256(key))
            .where("expires_at_ms", ">", this.#clock.now())
            .executeTakeFirst();
    const user = row === undefined ? undefined : await this.#users.findById(row.tenant_id, row.user_id);
    return row === undefined || user === undefined ? undefined : sessionOf(row, user);
  }

  /** Those of a user in every browser, the latest first. */
  async listOf(user: User): Promise<readonly Session[]> {
    const rows = await this.#database
      .selectFrom("sessions")
      .selectAll()
      .where("user_id", "=", user.id)
      .where("expires_at_ms", ">", this.#clock.now())
      .orderBy("authenticated_at_ms", "desc")
      .orderBy("public_id")
      .execute();
    return rows.flatMap((row) => sessionOf(row, user) ?? []);
  }

  /** Remembers that the session was used for a client. */
  async noteClient(session: Session, { appId, version }: SessionClient): Promise<void> {
    await this.#database
      .insertInto("session_clients")
      .values({ session_sha256: Buffer.from(session.id), app_id: appId, token_version: version })
      .onConflict((conflict) =>
        conflict
          .columns(["session_sha256", "app_id"])
          .doUpdateSet({ token_version: version })
          .where("session_clients.token_version", "!=", version),
      )
      .execute();
  }

  /** The clients that the session was used for. */
  async clientsOf(session: Session): Promise<readonly SessionClient[]> {
    const rows = await this.#database
      .selectFrom("session_clients")
      .select(["app_id", "token_version"])
      .where("session_sha256", "=", Buffer.from(session.id))
      .orderBy("app_id")
      .execute();
    return rows.map((row) => ({ appId: row.app_id, version: row.token_version === 1 ? 1 : 2 }));
  }

  /** @param transaction  what else happens with it, or not at all */
  async end(session: Session, transaction: Kysely<IdentityTables>): Promise<void> {
    await transaction.deleteFrom("sessions").where("id_sha256", "=", Buffer.from(session.id)).execute();
  }

  /** Those of a user in every browser, also those that a new password or a disabled account ended already. */
  async allOf(user: User): Promise<readonly Session[]> {
    const rows = await this.#database.selectFrom("sessions").selectAll().where("user_id", "=", user.id).execute();
    return rows.map((row) => termsOf(row, user));
  }

  /** Some of those whose time is over. */
  async expired(): Promise<readonly Session[]> {
    const rows = await this.#database
      .selectFrom("sessions")
      .selectAll()
      .where("expires_at_ms", "<", this.#clock.now())
      .orderBy("expires_at_ms")
      .limit(EXPIRED_AT_ONCE)
      .execute();
    const sessions = await Promise.all(
      rows.map(async (row) => {
        const user = await this.#users.findById(row.tenant_id, row.user_id);
        return user === undefined ? [] : [termsOf(row, user)];
      }),
    );
    return sessions.flat();
  }
}

function sessionOf(row: SessionRow, user: User): Session | undefined {
  return user.isEnabled && row.authenticated_at_ms >= user.sessionsValidFromMs ? termsOf(row, user) : undefined;
}

function termsOf(row: SessionRow, user: User): Session {
  return {
    id: row.id_sha256,
    publicId: row.public_id,
    user,
    methods: row.methods.split(" "),
    authenticatedAtMs: row.authenticated_at_ms,
  };
}
