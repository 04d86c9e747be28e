import { randomUUID } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { type Kysely } from "kysely";
import { ManagementError } from "../protocol/management-error.ts";
import { type SecretBox } from "../store/secret-box.ts";
import { type IdentityTables, type UserFactorRow } from "../store/tables.ts";
import { type User } from "../users/user.ts";
import { stepOfCode } from "./one-time-code.ts";

/** An authenticator application of a user. */
export interface Factor {
  readonly id: string;
  readonly createdAtMs: number;
}

/** A telephone and its spare. */
const PER_USER = 5;

/** What a factor's secret is sealed for. */
export function contextOfFactor(id: string): string {
  return `identity/factor:${id}`;
}

/** Keeps the second factors of users: secrets of authenticator applications, sealed. */
export class FactorStore {
  readonly #database: Kysely<IdentityTables>;
  readonly #secrets: SecretBox;
  readonly #clock: Clock;

  constructor(database: Kysely<IdentityTables>, secrets: SecretBox, clock: Clock) {
    this.#database = database;
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /** Oldest first. */
  async list(user: User): Promise<readonly Factor[]> {
    return (await this.#rows(user)).map((row) => ({ id: row.id, createdAtMs: row.created_at_ms }));
  }

  async has(user: User): Promise<boolean> {
    const row = await this.#database
      .selectFrom("user_factors")
      .select("id")
      .where("user_id", "=", user.id)
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * @param step  of the code that proved the application has the secret: it doesn't count again
   * @throws ManagementError for one too many
   */
  async add(user: User, secretBytes: Uint8Array, step: number): Promise<string> {
    if ((await this.#rows(user)).length >= PER_USER) {
      throw new ManagementError("Request_BadRequest", `A user has at most ${PER_USER} authenticator applications`);
    }
    const id = randomUUID();
    const sealed = Buffer.from(this.#secrets.seal(secretBytes, contextOfFactor(id)));
    const row = { id, user_id: user.id, secret_sealed: sealed, last_step: step, created_at_ms: this.#clock.now() };
    await this.#database.insertInto("user_factors").values(row).execute();
    return id;
  }

  /** @returns whether there was one */
  async remove(user: User, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom("user_factors")
      .where("user_id", "=", user.id)
      .where("id", "=", id.toLowerCase())
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Whether a code is one of the user's. Each counts once: one statement decides who is first. (RFC 6238 §5.2) */
  async use(user: User, code: string): Promise<boolean> {
    for (const row of await this.#rows(user)) {
      const secret = this.#secrets.open(row.secret_sealed, contextOfFactor(row.id));
      const step = stepOfCode(secret, code, this.#clock.now());
      if (step !== undefined && (await this.#useStep(row, step))) {
        return true;
      }
    }
    return false;
  }

  async #useStep({ id }: UserFactorRow, step: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable("user_factors")
      .set({ last_step: step })
      .where("id", "=", id)
      .where("last_step", "<", step)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  #rows(user: User): Promise<readonly UserFactorRow[]> {
    return this.#database
      .selectFrom("user_factors")
      .selectAll()
      .where("user_id", "=", user.id)
      .orderBy("created_at_ms")
      .orderBy("id")
      .execute();
  }
}
