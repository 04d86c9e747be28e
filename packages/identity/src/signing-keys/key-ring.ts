import { createPublicKey, type KeyObject } from "node:crypto";
import { type Clock, must } from "@trefoil/base";
import { oneAtATime } from "@trefoil/database";
import { type Kysely } from "kysely";
import { type SharedChanges } from "../store/shared-changes.ts";
import { type SecretBox } from "../store/secret-box.ts";
import { type IdentityTables, type SigningKeyRow } from "../store/tables.ts";
import {
  contextOfSigningKey,
  type PublishedKey,
  publishedKey,
  readPrivateKey,
  type SigningKey,
} from "./signing-key.ts";

/** How long a retired key stays published: the longest life of a token signed with it, and a day. */
const PUBLISHED_AFTER_RETIREMENT_MS = 2 * 24 * 3_600_000;

/** Longer than resource servers keep the keys that they have read. (reference §6.5) */
const PUBLISHED_BEFORE_USE_MS = 2 * 24 * 3_600_000;

/** The keys of the installation, held in memory and read again after a change. */
export class KeyRing {
  readonly #database: Kysely<IdentityTables>;
  readonly #secrets: SecretBox;
  readonly #clock: Clock;
  readonly #changes: SharedChanges;
  #keys: readonly SigningKey[] = [];
  #publicKeys: ReadonlyMap<string, KeyObject> = new Map();
  #state: object = {};
  #stateUntilMs = 0;

  private constructor(database: Kysely<IdentityTables>, secrets: SecretBox, clock: Clock, changes: SharedChanges) {
    this.#database = database;
    this.#secrets = secrets;
    this.#clock = clock;
    this.#changes = changes;
    changes.onElsewhere(() => this.#reload());
  }

  /** Reads the keys and makes the first one in an empty database, once for all processes that start there together. */
  static async open(
    database: Kysely<IdentityTables>,
    secrets: SecretBox,
    clock: Clock,
    changes: SharedChanges,
  ): Promise<KeyRing> {
    const ring = new KeyRing(database, secrets, clock, changes);
    await ring.#reload();
    if (ring.#keys.length === 0) {
      await oneAtATime(database, async () => {
        await ring.#reload();
        if (ring.#keys.length === 0) {
          await ring.add(clock.now());
        }
      });
    }
    return ring;
  }

  /** The key that signs now: the newest that is active and not retired. */
  current(): SigningKey {
    const nowMs = this.#clock.now();
    const active = this.#keys.filter((key) => key.activeFromMs <= nowMs && (key.retiredAtMs ?? Infinity) > nowMs);
    return must(active.at(-1), "a key is retired only when its successor is active");
  }

  /** Something that is the same object until {@link published} changes: for what is prepared from it. */
  state(): object {
    const nowMs = this.#clock.now();
    if (nowMs >= this.#stateUntilMs) {
      this.#state = {};
      const changes = this.#keys.map((key) => (key.retiredAtMs ?? Infinity) + PUBLISHED_AFTER_RETIREMENT_MS);
      this.#stateUntilMs = Math.min(...changes.filter((changeMs) => changeMs > nowMs));
    }
    return this.#state;
  }

  /** Current, coming and recently retired keys, oldest first. */
  published(): readonly PublishedKey[] {
    const nowMs = this.#clock.now();
    return this.#keys.filter((key) => isPublished(key, nowMs)).map(publishedKey);
  }

  /** The public half of a key whose tokens still count: one that is published. */
  findPublicKey(kid: string): KeyObject | undefined {
    const key = this.#keys.find((each) => each.kid === kid);
    return key !== undefined && isPublished(key, this.#clock.now()) ? this.#publicKeys.get(kid) : undefined;
  }

  /** Every key, oldest first, also those that are no longer published. */
  all(): readonly SigningKey[] {
    return this.#keys;
  }

  /**
   * Makes a key that signs from `activeFromMs` on, which is also when its predecessors retire. It is published at once,
   * so that resource servers know it before they meet it.
   */
  async add(activeFromMs: number): Promise<string> {
    // The X.509 library is slow to load and needed only now and then.
    const { createSigningKey } = await import("./create-signing-key.ts");
    const { kid, certificateDer, pkcs8 } = await createSigningKey(this.#clock.now());
    const row: SigningKeyRow = {
      kid,
      certificate_der: certificateDer,
      private_key_sealed: Buffer.from(this.#secrets.seal(pkcs8, contextOfSigningKey(kid))),
      active_from_ms: activeFromMs,
      retired_at_ms: null,
      created_at_ms: this.#clock.now(),
    };
    await this.#database.transaction().execute(async (transaction) => {
      await transaction
        .updateTable("signing_keys")
        .set({ retired_at_ms: activeFromMs })
        .where("retired_at_ms", "is", null)
        .execute();
      await transaction.insertInto("signing_keys").values(row).execute();
    });
    await this.#reload();
    await this.#changes.note();
    return kid;
  }

  /**
   * Makes the next key when the newest one is old enough: published now, signing later, so that whoever reads keys once
   * a day knows it before he meets it.
   *
   * @returns its id, or undefined when it isn't time
   */
  async renew(maxAgeMs: number): Promise<string | undefined> {
    await this.#changes.check();
    const newest = this.#keys.at(-1);
    const nowMs = this.#clock.now();
    const isOld = newest !== undefined && nowMs - newest.activeFromMs >= maxAgeMs - PUBLISHED_BEFORE_USE_MS;
    return isOld ? this.add(nowMs + PUBLISHED_BEFORE_USE_MS) : undefined;
  }

  async #reload(): Promise<void> {
    const rows = await this.#database
      .selectFrom("signing_keys")
      .selectAll()
      .orderBy("active_from_ms")
      .orderBy("created_at_ms")
      .execute();
    this.#keys = rows.map((row) => ({
      kid: row.kid,
      certificateDer: row.certificate_der,
      privateKey: readPrivateKey(this.#secrets.open(row.private_key_sealed, contextOfSigningKey(row.kid))),
      activeFromMs: row.active_from_ms,
      retiredAtMs: row.retired_at_ms ?? undefined,
    }));
    this.#publicKeys = new Map(this.#keys.map((key) => [key.kid, createPublicKey(key.privateKey)]));
    this.#stateUntilMs = 0;
  }
}

function isPublished(key: SigningKey, nowMs: number): boolean {
  return (key.retiredAtMs ?? Infinity) + PUBLISHED_AFTER_RETIREMENT_MS > nowMs;
}
