import { randomBytes, randomInt } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { isUniqueViolation } from "@trefoil/database";
import { type Kysely } from "kysely";
import { IdentityError } from "../protocol/identity-error.ts";
import { type Session } from "../sign-in/session-store.ts";
import { type DeviceCodeRow, type IdentityTables } from "../store/tables.ts";
import { sha256 } from "../store/text-digest.ts";

export const DEVICE_CODE_SECONDS = 900;
export const POLL_INTERVAL_SECONDS = 5;
/** Timers of clients fire early and in bursts: only polling far too fast is told to slow down. */
const TOO_FAST_MS = 2_000;
const CODE_BYTES = 32;
const USER_CODE_LENGTH = 9;
/** Letters and digits that can't be taken for each other. */
const USER_CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** What a device asked for. */
export interface DeviceRequest {
  /** undefined: whoever signs in decides. */
  readonly tenantId: string | undefined;
  readonly appId: string;
  readonly resource: string | undefined;
  readonly scope: string;
  /** The `claims` parameter as it came. */
  readonly claims: string | undefined;
}

/** A request as the page that asks for the code finds it. */
export interface PendingDevice extends DeviceRequest {
  readonly userCode: string;
}

/** A request that somebody signed in for. */
export interface ApprovedDevice extends DeviceRequest {
  readonly userId: string;
  readonly userTenantId: string;
  readonly methods: readonly string[];
  readonly authenticatedAtMs: number;
}

/** Keeps device codes by their SHA-256, and the short codes that users type. */
export class DeviceCodeStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;

  constructor(database: Kysely<IdentityTables>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async create(request: DeviceRequest): Promise<{ readonly deviceCode: string; readonly userCode: string }> {
    for (;;) {
      const deviceCode = randomBytes(CODE_BYTES).toString("base64url");
      const userCode = newUserCode();
      const row: DeviceCodeRow = {
        device_code_sha256: sha256(deviceCode),
        user_code: userCode,
        tenant_id: request.tenantId ?? null,
        app_id: request.appId,
        resource: request.resource ?? null,
        scope: request.scope,
        state: "pending",
        user_id: null,
        user_tenant_id: null,
        methods: "",
        authenticated_at_ms: 0,
        polled_at_ms: 0,
        expires_at_ms: this.#clock.now() + DEVICE_CODE_SECONDS * 1000,
        claims: request.claims ?? null,
      };
      try {
        await this.#database.insertInto("device_codes").values(row).execute();
        return { deviceCode, userCode };
      } catch (error) {
        // Two open requests never share a user code.
        if (!isUniqueViolation(error)) {
          throw error;
        }
      }
    }
  }

  /** @param userCode  as typed: any case, with blanks or hyphens */
  async findPending(userCode: string): Promise<PendingDevice | undefined> {
    const row = await this.#database
      .selectFrom("device_codes")
      .selectAll()
      .where("user_code", "=", normalise(userCode))
      .where("state", "=", "pending")
      .where("expires_at_ms", ">", this.#clock.now())
      .executeTakeFirst();
    return row === undefined ? undefined : { ...requestOf(row), userCode: row.user_code };
  }

  /** @returns whether the request was still open */
  approve(userCode: string, session: Session): Promise<boolean> {
    return this.#settle(userCode, {
      state: "approved",
      user_id: session.user.id,
      user_tenant_id: session.user.tenantId,
      methods: session.methods.join(" "),
      authenticated_at_ms: session.authenticatedAtMs,
    });
  }

  /** @returns whether the request was still open */
  decline(userCode: string): Promise<boolean> {
    return this.#settle(userCode, { state: "declined" });
  }

  /** The tenant of who signed in, for requests whose address names none. @throws IdentityError as {@link redeem} */
  async findUserTenantId(deviceCode: string, appId: string): Promise<string> {
    const row = await this.#poll(deviceCode, appId);
    return row.userTenantId;
  }

  /**
   * @throws IdentityError 70016 nobody signed in yet, 70017 asked too fast, 70018 unknown or used, 70019 expired, 65004
   *         declined
   */
  async redeem(deviceCode: string, appId: string): Promise<ApprovedDevice> {
    const approved = await this.#poll(deviceCode, appId);
    // One statement decides who is first.
    const { numUpdatedRows } = await this.#database
      .updateTable("device_codes")
      .set({ state: "redeemed" })
      .where("device_code_sha256", "=", sha256(deviceCode))
      .where("state", "=", "approved")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      throw new IdentityError(70018);
    }
    return approved;
  }

  async sweep(): Promise<void> {
    const nowMs = this.#clock.now();
    await this.#database
      .deleteFrom("device_codes")
      .where("expires_at_ms", "<", nowMs - 3_600_000)
      .execute();
  }

  async #settle(userCode: string, change: Partial<DeviceCodeRow>): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable("device_codes")
      .set(change)
      .where("user_code", "=", userCode)
      .where("state", "=", "pending")
      .where("expires_at_ms", ">", this.#clock.now())
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async #poll(deviceCode: string, appId: string): Promise<ApprovedDevice> {
    const nowMs = this.#clock.now();
    const row = await this.#database
      .selectFrom("device_codes")
      .selectAll()
      .where("device_code_sha256", "=", sha256(deviceCode))
      .executeTakeFirst();
    if (row === undefined || row.app_id !== appId || row.state === "redeemed") {
      throw new IdentityError(70018);
    }
    if (row.expires_at_ms <= nowMs) {
      throw new IdentityError(70019);
    }
    if (row.state === "declined") {
      throw new IdentityError(65004, {}, { word: "authorization_declined" });
    }
    if (row.state === "pending" || row.user_id === null || row.user_tenant_id === null) {
      await this.#notePoll(row, nowMs);
      throw new IdentityError(nowMs - row.polled_at_ms < TOO_FAST_MS ? 70017 : 70016);
    }
    return {
      ...requestOf(row),
      userId: row.user_id,
      userTenantId: row.user_tenant_id,
      methods: row.methods.split(" "),
      authenticatedAtMs: row.authenticated_at_ms,
    };
  }

  async #notePoll(row: DeviceCodeRow, nowMs: number): Promise<void> {
    await this.#database
      .updateTable("device_codes")
      .set({ polled_at_ms: nowMs })
      .where("device_code_sha256", "=", row.device_code_sha256)
      .execute();
  }
}

function requestOf(row: DeviceCodeRow): DeviceRequest {
  return {
    tenantId: row.tenant_id ?? undefined,
    appId: row.app_id,
    resource: row.resource ?? undefined,
    scope: row.scope,
    claims: row.claims ?? undefined,
  };
}

function newUserCode(): string {
  const letters = Array.from(
    { length: USER_CODE_LENGTH },
    () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)],
  );
  return letters.join("");
}

function normalise(userCode: string): string {
  return userCode.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
