import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import { type Clock } from "@trefoil/base";
import { type Kysely } from "kysely";
import { type IdentityTables } from "../store/tables.ts";
import { type Tenant } from "../tenants/tenant.ts";

/** A place that wasn't used for so long is a stranger's again. */
const FORGOTTEN_AFTER_MS = 90 * 24 * 3_600_000;
/** How exactly it is remembered when a place was used: one write a day. */
const NOTED_EVERY_MS = 24 * 3_600_000;
/** Of an IPv6 address what a network is given; the rest changes by itself. (RFC 6177) */
const NETWORK_GROUPS = 4;

/**
 * Where users have signed in from: wrong passwords from elsewhere are counted apart, so that a stranger who tries
 * passwords locks out strangers and not the user. Only keyed digests are kept. (reference §7.6)
 */
export class FamiliarPlaces {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;

  constructor(database: Kysely<IdentityTables>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** The name under which failures count, for names that no user has too. */
  async counterOf(tenant: Tenant, userName: string, ipAddress: string | undefined): Promise<string> {
    const seenAtMs = await this.#seen(tenant, userName, ipAddress);
    return seenAtMs === undefined ? userName : familiarCounter(userName);
  }

  /** After a right password. */
  async note(tenant: Tenant, userName: string, ipAddress: string | undefined): Promise<void> {
    const nowMs = this.#clock.now();
    const seenAtMs = await this.#seen(tenant, userName, ipAddress);
    if (ipAddress !== undefined && (seenAtMs === undefined || nowMs - seenAtMs >= NOTED_EVERY_MS)) {
      await this.#database
        .insertInto("familiar_places")
        .values({ place_sha256: placeDigest(tenant, userName, ipAddress), seen_at_ms: nowMs })
        .onConflict((conflict) => conflict.column("place_sha256").doUpdateSet({ seen_at_ms: nowMs }))
        .execute();
    }
  }

  async sweep(): Promise<void> {
    const endMs = this.#clock.now() - FORGOTTEN_AFTER_MS;
    await this.#database.deleteFrom("familiar_places").where("seen_at_ms", "<", endMs).execute();
  }

  async #seen(tenant: Tenant, userName: string, ipAddress: string | undefined): Promise<number | undefined> {
    if (ipAddress === undefined) {
      return undefined;
    }
    const row = await this.#database
      .selectFrom("familiar_places")
      .select("seen_at_ms")
      .where("place_sha256", "=", placeDigest(tenant, userName, ipAddress))
      .where("seen_at_ms", ">", this.#clock.now() - FORGOTTEN_AFTER_MS)
      .executeTakeFirst();
    return row?.seen_at_ms;
  }
}

/** The name under which failures from places count that the user has signed in from. */
export function familiarCounter(userName: string): string {
  return `${userName} (familiar places)`;
}

function placeDigest(tenant: Tenant, userName: string, ipAddress: string): Buffer {
  return createHmac("sha256", tenant.subjectKeyBytes)
    .update(`place ${userName.toLowerCase()} ${networkOf(ipAddress)}`)
    .digest();
}

/** An IPv4 address whole, also inside an IPv6 one. */
export function networkOf(ipAddress: string): string {
  const inside = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ipAddress)?.[1];
  if (inside !== undefined || !isIPv6(ipAddress)) {
    return inside ?? ipAddress;
  }
  const [head = "", tail] = (ipAddress.split("%")[0] ?? "").toLowerCase().split("::");
  const left = head.split(":").filter((group) => group !== "");
  const right = tail?.split(":").filter((group) => group !== "") ?? [];
  const zeros = Array.from({ length: Math.max(8 - left.length - right.length, 0) }, () => "0");
  return [...left, ...zeros, ...right].slice(0, NETWORK_GROUPS).join(":");
}
