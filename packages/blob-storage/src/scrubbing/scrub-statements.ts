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

/** The bytes that a row holds, and where it is: blobs, and by the content pieces of blobs. */
export interface BlobWithBytes {
  readonly container_id: number;
  readonly name: string;
  readonly moment: string;
  readonly inline_content: Uint8Array;
}

export type BlobRowKey = Omit<BlobWithBytes, "inline_content">;

/** Blobs that hold their bytes, behind one of them. */
export const listBlobsWithBytes: Statement<BlobRowKey & { readonly limit: number }, BlobWithBytes> = statement(
  (database, bind) =>
    database
      .selectFrom("blobs")
      .select(["container_id", "name", "moment", "inline_content"])
      .where((row) =>
        row(
          row.refTuple("container_id", "name", "moment"),
          ">",
          row.tuple(bind("container_id"), bind("name"), bind("moment")),
        ),
      )
      .where("inline_content", "is not", null)
      .orderBy("container_id")
      .orderBy("name")
      .orderBy("moment")
      .limit(bind("limit"))
      .$narrowType<{ inline_content: Uint8Array }>(),
);

export interface PieceWithBytes {
  readonly content_id: number;
  readonly start: number;
  readonly inline_content: Uint8Array;
}

export type PieceKey = Omit<PieceWithBytes, "inline_content">;

/** Pieces that hold their bytes, behind one of them. */
export const listPiecesWithBytes: Statement<PieceKey & { readonly limit: number }, PieceWithBytes> = statement(
  (database, bind) =>
    database
      .selectFrom("pieces")
      .select(["content_id", "start", "inline_content"])
      .where((row) => row(row.refTuple("content_id", "start"), ">", row.tuple(bind("content_id"), bind("start"))))
      .where("inline_content", "is not", null)
      .orderBy("content_id")
      .orderBy("start")
      .limit(bind("limit"))
      .$narrowType<{ inline_content: Uint8Array }>(),
);
