import { type Statement, statement } from "../metadata/statement.ts";
import { type ExtentRow } from "../metadata/tables.ts";

interface Verification {
  readonly extentId: string;
  readonly nowMs: number;
}

export const setSound: Statement<Verification, unknown> = statement((database, bind) =>
  database
    .updateTable("extents")
    .set({ verified_ms: bind("nowMs"), damaged_ms: null })
    .where("extent_id", "=", bind("extentId")),
);

export const setDamaged: Statement<Verification, unknown> = statement((database, bind) =>
  database
    .updateTable("extents")
    .set(({ fn, val }) => ({
      verified_ms: bind("nowMs"),
      damaged_ms: fn.coalesce("damaged_ms", val(bind("nowMs"))),
    }))
    .where("extent_id", "=", bind("extentId")),
);

/** Extents that nobody has verified since, the longest ago first. */
export const findUnverified: Statement<
  { readonly beforeMs: number; readonly limit: number },
  Pick<ExtentRow, "extent_id" | "size">
> = statement((database, bind) =>
  database
    .selectFrom("extents")
    .select(["extent_id", "size"])
    .where("verified_ms", "<", bind("beforeMs"))
    .orderBy("verified_ms")
    .limit(bind("limit")),
);

export const countDamaged: Statement<object, { readonly count: number }> = statement((database) =>
  database
    .selectFrom("extents")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("damaged_ms", "is not", null),
);

/** How much there is; one pass over a small table. */
export const measureExtents: Statement<object, { readonly count: number; readonly bytes: number }> = statement(
  (database) =>
    database
      .selectFrom("extents")
      .select(({ fn, val }) => [
        fn.countAll<number>().as("count"),
        fn.coalesce(fn.sum<number>("size"), val(0)).as("bytes"),
      ]),
);
