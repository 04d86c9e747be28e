import { randomBytes } from "node:crypto";
import { type Clock } from "@trefoil/base";
import { PreparedQuery } from "@trefoil/database";
import { type Kysely } from "kysely";
import { type AuditEventRow, type IdentityTables } from "../store/tables.ts";
import { type AuditCategory, type AuditEvent, type AuditRecord } from "./audit-event.ts";

/** What of the log is asked for. */
export interface AuditQuery {
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly category?: AuditCategory | undefined;
  readonly tenantId?: string | undefined;
}

/** How long a noted event may wait for others to be written with it. */
const GATHER_MS = 100;
/** When the database doesn't keep up, callers of `note` learn it by waiting. */
const WAITING_LIMIT = 5_000;
const WRITER_BYTES = 6;
const NAME_LIMIT = 200;
/** Of the whole; most events have a fifth of it, and only longer ones are looked through for what is too long. */
const DETAILS_LIMIT = 1_000;

/**
 * The record of what happened: rows are added, and removed only when their time of retention is over. What changes
 * something is on disk before it is answered; sign-ins, of which there are many, gather for a tenth of a second and are
 * written together. (decisions/0072)
 */
export class AuditLog {
  readonly #database: Kysely<IdentityTables>;
  readonly #clock: Clock;
  readonly #retentionMs: number;
  #waiting: AuditEventRow[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #sequence = 0;
  /** Tells this process from others that write at the same time. */
  readonly #writer = randomBytes(WRITER_BYTES).toString("hex");

  constructor(database: Kysely<IdentityTables>, clock: Clock, retentionDays: number) {
    this.#database = database;
    this.#clock = clock;
    this.#retentionMs = retentionDays * 24 * 3_600_000;
  }

  /** Writes an event down; it is there when this returns, with all that were noted before. */
  async append(event: AuditEvent): Promise<void> {
    this.#waiting.push(this.#rowOf(event));
    await this.flush();
  }

  /** Has an event written down soon. @returns a promise only when too much is waiting already */
  note(event: AuditEvent): Promise<void> | undefined {
    if (this.#waiting.length >= WAITING_LIMIT) {
      return this.flush().then(() => this.append(event));
    }
    this.#waiting.push(this.#rowOf(event));
    this.#timer ??= setTimeout(() => {
      // A failure keeps the rows for the next attempt.
      this.flush().catch(() => undefined);
    }, GATHER_MS);
    return undefined;
  }

  /** Writes down what was noted. One transaction at a time, so that the order stays. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const write = this.#writing.then(() => this.#write());
    this.#writing = write.catch(() => undefined);
    return write;
  }

  /** Those that match, oldest first, a bounded number at a time. */
  async *read(query: AuditQuery): AsyncGenerator<AuditRecord> {
    await this.flush();
    let after: AuditEventRow | undefined;
    while (true) {
      const rows: readonly AuditEventRow[] = await this.#page(query, after);
      for (const row of rows) {
        yield recordOf(row);
      }
      after = rows.at(-1);
      if (rows.length < PAGE) {
        return;
      }
    }
  }

  /** Removes what is older than the time of retention. */
  async sweep(): Promise<void> {
    await this.#database
      .deleteFrom("audit_events")
      .where("at_ms", "<", this.#clock.now() - this.#retentionMs)
      .execute();
  }

  async #page(query: AuditQuery, after: AuditEventRow | undefined): Promise<readonly AuditEventRow[]> {
    let rows = this.#database.selectFrom("audit_events").selectAll().orderBy("at_ms").orderBy("id").limit(PAGE);
    if (query.sinceMs !== undefined) {
      rows = rows.where("at_ms", ">=", query.sinceMs);
    }
    if (query.untilMs !== undefined) {
      rows = rows.where("at_ms", "<", query.untilMs);
    }
    if (query.category !== undefined) {
      rows = rows.where("category", "=", query.category);
    }
    if (query.tenantId !== undefined) {
      rows = rows.where("tenant_id", "=", query.tenantId);
    }
    if (after !== undefined) {
      rows = rows.where((where) =>
        where.or([
          where("at_ms", ">", after.at_ms),
          where.and([where("at_ms", "=", after.at_ms), where("id", ">", after.id)]),
        ]),
      );
    }
    return rows.execute();
  }

  async #write(): Promise<void> {
    const rows = this.#waiting;
    if (rows.length === 0) {
      return;
    }
    this.#waiting = [];
    try {
      await this.#database.transaction().execute(async (transaction) => {
        let start = 0;
        for (const { count, query } of additions) {
          for (; start + count <= rows.length; start += count) {
            await query.run(transaction, valuesOf(rows.slice(start, start + count)));
          }
        }
      });
    } catch (error) {
      this.#waiting = [...rows, ...this.#waiting];
      throw error;
    }
  }

  #rowOf(event: AuditEvent): AuditEventRow {
    const atMs = this.#clock.now();
    this.#sequence = (this.#sequence + 1) % SEQUENCE_END;
    const sequence = this.#sequence.toString(36).padStart(SEQUENCE_DIGITS, "0");
    return {
      // Several processes may write at once: what makes an id one's own comes after what sorts it.
      id: `${atMs.toString(36).padStart(9, "0")}-${sequence}-${this.#writer}`,
      at_ms: atMs,
      tenant_id: event.tenantId ?? null,
      category: event.category,
      activity: event.activity,
      outcome: event.outcome,
      details: detailsText(event),
    };
  }
}

const COLUMNS = ["id", "at_ms", "tenant_id", "category", "activity", "outcome", "details"] as const;

/** The columns of one row after those of another. */
type Values = readonly AuditEventRow[(typeof COLUMNS)[number]][];

function valuesOf(rows: readonly AuditEventRow[]): Values {
  const values: AuditEventRow[(typeof COLUMNS)[number]][] = [];
  for (const row of rows) {
    values.push(row.id, row.at_ms, row.tenant_id, row.category, row.activity, row.outcome, row.details);
  }
  return values;
}

/** Adds as many rows as it says by one statement, whose text is made once. */
function addition(count: number): PreparedQuery<IdentityTables, Values> {
  return new PreparedQuery((database, values) => {
    const rowAt = (place: number): AuditEventRow =>
      Object.fromEntries(
        COLUMNS.map((column, at) => [column, values[place * COLUMNS.length + at]]),
      ) as unknown as AuditEventRow;
    return database.insertInto("audit_events").values(Array.from({ length: count }, (_, place) => rowAt(place)));
  });
}

/** The largest stay below the number of parameters that both databases take. */
const additions = [64, 8, 1].map((count) => ({ count, query: addition(count) }));

const PAGE = 500;
const SEQUENCE_DIGITS = 5;
const SEQUENCE_END = 36 ** SEQUENCE_DIGITS;

/** What has no column of its own. Names come from requests, also from those that were refused. */
function detailsText(event: AuditEvent): string {
  const { actor, target, clientAppId, resourceAppId, errorCodes, correlationId, ipAddress, details } = event;
  const rest = { actor, target, clientAppId, resourceAppId, errorCodes, correlationId, ipAddress, details };
  const text = JSON.stringify(rest);
  return text.length <= DETAILS_LIMIT ? text : JSON.stringify(rest, shortened);
}

function shortened(_key: string, value: unknown): unknown {
  return typeof value === "string" && value.length > NAME_LIMIT ? `${value.slice(0, NAME_LIMIT)}…` : value;
}

function recordOf(row: AuditEventRow): AuditRecord {
  return {
    id: row.id,
    atMs: row.at_ms,
    category: row.category as AuditCategory,
    activity: row.activity,
    outcome: row.outcome === "success" ? "success" : "failure",
    tenantId: row.tenant_id ?? undefined,
    ...(JSON.parse(row.details) as object),
  };
}
