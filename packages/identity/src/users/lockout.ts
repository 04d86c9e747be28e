import { createHmac } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { type Kysely } from "kysely";
import { type IdentityTables } from "../store/tables.ts";
import { codeCounter } from "../factors/code-counter.ts";
import { sha256 } from "../store/text-digest.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { familiarCounter } from "./familiar-places.ts";
import { type User } from "./user.ts";

/** Failed attempts until the first lock; every further one locks again, for longer. (reference §7.6) */
const ATTEMPTS = 10;
const FIRST_LOCK_MS = 60_000;
const LONGEST_LOCK_MS = 3_600_000;
/** Wrong passwords that are recognised when they are tried again. */
const REMEMBERED = 3;
/** After so long without a failure the count starts anew. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/**
 * Counts failed password attempts by user name and locks a name for a while after too many. Names that no user has are
 * counted as well: whether a name gets locked must not tell whether it exists.
 */
export class Lockout {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;

  constructor(database: Kysely<IdentityTables>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  async isLocked(tenant: Tenant, userName: string): Promise<boolean> {
    const row = await this.#database
      .selectFrom("sign_in_failures")
      .select("locked_until_ms")
      .where("name_sha256", "=", nameDigest(tenant, userName))
      .executeTakeFirst();
    return row !== undefined && row.locked_until_ms > this.#clock.now();
  }

  /** The same wrong password tried again (an old one in some device) counts once. */
  async recordFailure(tenant: Tenant, userName: string, password: string): Promise<void> {
    const nowMs = this.#clock.now();
    const tag = passwordTag(tenant, userName, password);
    await this.#database.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom("sign_in_failures")
        .where("updated_at_ms", "<", nowMs - FORGOTTEN_AFTER_MS)
        .execute();
      const name = nameDigest(tenant, userName);
      const known = await transaction
        .selectFrom("sign_in_failures")
        .selectAll()
        .where("name_sha256", "=", name)
        .executeTakeFirst();
      const recentTags = known?.recent_tags.split(" ") ?? [];
      if (recentTags.includes(tag)) {
        return;
      }
      const failures = (known?.failures ?? 0) + 1;
      const row = {
        failures,
        locked_until_ms: failures < ATTEMPTS ? 0 : nowMs + lockMs(failures),
        recent_tags: [tag, ...recentTags].slice(0, REMEMBERED).join(" "),
        updated_at_ms: nowMs,
      };
      await transaction
        .insertInto("sign_in_failures")
        .values({ name_sha256: name, ...row })
        .onConflict((conflict) => conflict.column("name_sha256").doUpdateSet(row))
        .execute();
    });
  }

  /** Lets a user try again at once, wherever he is and whatever he failed at. */
  async unlock(tenant: Tenant, user: User): Promise<void> {
    const { userPrincipalName: name } = user;
    for (const counter of [name, familiarCounter(name), codeCounter(user)]) {
      await this.reset(tenant, counter);
    }
  }

  /** After a right password. */
  async reset(tenant: Tenant, userName: string): Promise<void> {
    await this.#database
      .deleteFrom("sign_in_failures")
      .where("name_sha256", "=", nameDigest(tenant, userName))
      .execute();
  }
}

function lockMs(failures: number): number {
  return Math.min(FIRST_LOCK_MS * 2 ** (failures - ATTEMPTS), LONGEST_LOCK_MS);
}

function nameDigest(tenant: Tenant, userName: string): Buffer {
  return sha256(`${tenant.id} ${userName.toLowerCase()}`);
}

/**
 * Sixteen bits, keyed: enough to recognise a repeated mistake, far too few to find the password it was made from.
 */
function passwordTag(tenant: Tenant, userName: string, password: string): string {
  return createHmac("sha256", tenant.subjectKeyBytes)
    .update(`lockout ${userName.toLowerCase()} ${password}`)
    .digest("hex")
    .slice(0, 4);
}
