import { type Clock } from "@trefoil/base";
import { isUniqueViolation } from "@trefoil/database";
import { type Kysely } from "kysely";
import { type IdentityTables } from "../store/tables.ts";
import { sha256 } from "../store/text-digest.ts";
import { type Application } from "./application.ts";
import { type ClientAssertion } from "./client-assertion.ts";

/** A little longer than the clocks of clients may be wrong. */
const KEPT_AFTER_EXPIRY_MS = 10 * 60_000;

/** Assertions of the applications whose assertions count once, until they expire. (design §4) */
export class UsedAssertions {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;

  constructor(database: Kysely<IdentityTables>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @returns false when it was used before, or has no `jti` to tell; one statement decides who is first */
  async use({ appId }: Application, { claims }: ClientAssertion): Promise<boolean> {
    const { jti, exp } = claims;
    if (typeof jti !== "string" || typeof exp !== "number") {
      return false;
    }
    const row = {
      assertion_sha256: sha256(`${appId} ${jti}`),
      expires_at_ms: Math.ceil(exp * 1000) + KEPT_AFTER_EXPIRY_MS,
    };
    try {
      await this.#database.insertInto("used_assertions").values(row).execute();
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) {
        return false;
      }
      throw error;
    }
  }

  async sweep(): Promise<void> {
    await this.#database.deleteFrom("used_assertions").where("expires_at_ms", "<", this.#clock.now()).execute();
  }
}
