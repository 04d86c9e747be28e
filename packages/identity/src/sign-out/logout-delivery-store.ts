import { randomUUID } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { type Kysely, type Transaction } from "kysely";
import { type SessionClient } from "../sign-in/session-store.ts";
import { type IdentityTables } from "../store/tables.ts";

/** A client that is to be told that a session has ended. */
export interface LogoutDelivery extends SessionClient {
  readonly id: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly userName: string;
  /** The session as clients know it. */
  readonly sessionId: string;
  /** Those that failed, the one under way included. */
  readonly attempts: number;
}

/** Whose session ended. */
export interface EndedSession {
  readonly tenantId: string;
  readonly userId: string;
  readonly userName: string;
  readonly sessionId: string;
}

/** How long a delivery is its process's own; whoever finds it due after that goes on with it. */
const LEASE_MS = 30_000;
const AT_ONCE = 100;

/**
 * Deliveries that are not settled yet, in the database: they survive the process. One update decides which of several
 * processes makes an attempt.
 */
export class LogoutDeliveryStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;

  constructor(database: Kysely<IdentityTables>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Writes down whom to tell and ends the session, both or neither.
   *
   * @param clients  those that have an address
   * @returns the deliveries, each already this process's own
   */
  async begin(
    session: EndedSession,
    clients: readonly SessionClient[],
    end: (transaction: Transaction<IdentityTables>) => Promise<unknown>,
  ): Promise<readonly LogoutDelivery[]> {
    const nowMs = this.#clock.now();
    const deliveries = clients.map((client) => ({ ...session, ...client, id: randomUUID(), attempts: 1 }));
    await this.#database.transaction().execute(async (transaction) => {
      for (const delivery of deliveries) {
        await transaction
          .insertInto("logout_deliveries")
          .values({
            id: delivery.id,
            tenant_id: delivery.tenantId,
            user_id: delivery.userId,
            user_name: delivery.userName,
            app_id: delivery.appId,
            token_version: delivery.version,
            session_id: delivery.sessionId,
            attempts: 1,
            due_at_ms: nowMs + LEASE_MS,
          })
          .execute();
      }
      await end(transaction);
    });
    return deliveries;
  }

  /** Takes what nobody is at any more: of a process that ended. */
  async takeDue(): Promise<readonly LogoutDelivery[]> {
    const nowMs = this.#clock.now();
    const rows = await this.#database
      .selectFrom("logout_deliveries")
      .selectAll()
      .where("due_at_ms", "<=", nowMs)
      .orderBy("due_at_ms")
      .limit(AT_ONCE)
      .execute();
    const taken: LogoutDelivery[] = [];
    for (const row of rows) {
      const { numUpdatedRows } = await this.#database
        .updateTable("logout_deliveries")
        .set({ due_at_ms: nowMs + LEASE_MS })
        .where("id", "=", row.id)
        .where("due_at_ms", "=", row.due_at_ms)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) {
        taken.push({
          id: row.id,
          tenantId: row.tenant_id,
          userId: row.user_id,
          userName: row.user_name,
          appId: row.app_id,
          version: row.token_version === 1 ? 1 : 2,
          sessionId: row.session_id,
          attempts: row.attempts,
        });
      }
    }
    return taken;
  }

  /** The next attempt is this process's own, after a wait. */
  async postpone({ id }: LogoutDelivery, attempts: number, waitMs: number): Promise<void> {
    await this.#database
      .updateTable("logout_deliveries")
      .set({ attempts, due_at_ms: this.#clock.now() + waitMs + LEASE_MS })
      .where("id", "=", id)
      .execute();
  }

  /** Leaves it to whoever comes next. */
  async release({ id }: LogoutDelivery): Promise<void> {
    await this.#database
      .updateTable("logout_deliveries")
      .set({ due_at_ms: this.#clock.now() })
      .where("id", "=", id)
      .execute();
  }

  async settle({ id }: LogoutDelivery): Promise<void> {
    await this.#database.deleteFrom("logout_deliveries").where("id", "=", id).execute();
  }
}
