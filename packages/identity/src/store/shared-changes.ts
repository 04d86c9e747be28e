import { type Clock } from "@trefoil/base";
import { type Kysely } from "kysely";
import { type IdentityTables } from "./tables.ts";

/** How old the knowledge of others' changes may be: a query now and then instead of one for every request. */
const CHECK_AFTER_MS = 100;
/** After so long nothing kept is believed, whatever the counter says: a process may have died before it counted. */
const BELIEVED_MS = 60_000;
/** The one row. */
const ROW = 1;

/** What forgets, or reads again, when another process changed something. */
export type Forget = () => void | Promise<void>;

/**
 * Keeps the memories of several processes on one database together: a counter rises with every change to what they
 * keep, and each looks at it before it believes its own memory. A database that is this process's alone has nothing to
 * look at. (decisions/0093)
 */
export class SharedChanges {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;
  readonly #isShared: boolean;
  readonly #forgets: Forget[] = [];
  #known: number | undefined;
  #checkedAtMs = -Infinity;
  #believedSinceMs = -Infinity;
  #checking: Promise<void> | undefined;

  constructor(database: Kysely<IdentityTables>, clock: Clock, isShared: boolean) {
    this.#database = database;
    this.#clock = clock;
    this.#isShared = isShared;
  }

  onElsewhere(forget: Forget): void {
    this.#forgets.push(forget);
  }

  /** @returns undefined when what is kept may be believed, else a promise to wait for before it is */
  check(): Promise<void> | undefined {
    if (!this.#isShared || this.#clock.now() - this.#checkedAtMs < CHECK_AFTER_MS) {
      return undefined;
    }
    this.#checking ??= this.#look().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** After a change of one's own that others keep something about. */
  async note(): Promise<void> {
    if (this.#isShared) {
      const { changes } = await this.#database
        .updateTable("shared_changes")
        .set((column) => ({ changes: column("changes", "+", 1) }))
        .where("id", "=", ROW)
        .returning("changes")
        .executeTakeFirstOrThrow();
      // Only one's own: nothing else happened in between.
      this.#known = this.#known !== undefined && changes === this.#known + 1 ? changes : this.#known;
    }
  }

  async #look(): Promise<void> {
    const nowMs = this.#clock.now();
    const { changes } = await this.#database
      .selectFrom("shared_changes")
      .select("changes")
      .where("id", "=", ROW)
      .executeTakeFirstOrThrow();
    if (changes !== this.#known || nowMs - this.#believedSinceMs >= BELIEVED_MS) {
      await Promise.all(this.#forgets.map(async (forget) => forget()));
      this.#known = changes;
      this.#believedSinceMs = nowMs;
    }
    this.#checkedAtMs = nowMs;
  }
}
