import { sql } from "kysely";
import { type Statement, statement } from "../metadata/statement.ts";
import { type PieceRow } from "../metadata/tables.ts";

interface OfContent {
  readonly contentId: number;
}

export const insertContent: Statement<OfContent, unknown> = statement((database, bind) =>
  database.insertInto("contents").values({ content_id: bind("contentId"), uses: 1 }),
);

export const addContentUse: Statement<OfContent, unknown> = statement((database, bind) =>
  database
    .updateTable("contents")
    .set((row) => ({ uses: row("uses", "+", 1) }))
    .where("content_id", "=", bind("contentId")),
);

export const dropContentUse: Statement<OfContent, { readonly uses: number }> = statement((database, bind) =>
  database
    .updateTable("contents")
    .set((row) => ({ uses: row("uses", "-", 1) }))
    .where("content_id", "=", bind("contentId"))
    .returning("uses"),
);

export interface NewPiece {
  readonly contentId: number;
  readonly start: number;
  readonly length: number;
  readonly extentId: string | null;
  readonly extentOffset: number;
  readonly inlineContent: Uint8Array | null;
  readonly blockId: string | null;
  readonly nonce: Uint8Array | null;
}

export const insertPiece: Statement<NewPiece, unknown> = statement((database, bind) =>
  database.insertInto("pieces").values({
    content_id: bind("contentId"),
    start: bind("start"),
    length: bind("length"),
    extent_id: bind("extentId"),
    extent_offset: bind("extentOffset"),
    inline_content: bind("inlineContent"),
    block_id: bind("blockId"),
    nonce: bind("nonce"),
  }),
);

export interface PieceRange extends OfContent {
  /** The first byte wanted. */
  readonly from: number;
  /** The byte after the last one wanted. */
  readonly to: number;
  readonly limit: number;
}

/** The pieces that hold a range of a content, in order. */
export const findPieces: Statement<PieceRange, PieceRow> = statement((database, bind) =>
  database
    .selectFrom("pieces")
    .selectAll()
    .where("content_id", "=", bind("contentId"))
    .where("start", "<", bind("to"))
    .where("start", ">=", (query) =>
      query
        .selectFrom("pieces as before")
        .select(({ fn }) => fn.coalesce(fn.max("before.start"), sql<number>`0`).as("start"))
        .where("before.content_id", "=", bind("contentId"))
        .where("before.start", "<=", bind("from")),
    )
    .orderBy("start")
    .limit(bind("limit")),
);

export const insertExtent: Statement<{ readonly extentId: string; readonly size: number }, unknown> = statement(
  (database, bind) =>
    database.insertInto("extents").values({ extent_id: bind("extentId"), size: bind("size"), uses: 1, verified_ms: 0 }),
);

/** One more use of an extent for each piece of a content. */
export const addExtentUses: Statement<OfContent, unknown> = statement((database, bind) =>
  database
    .updateTable("extents")
    .set((row) => ({
      uses: row("uses", "+", (query) => {
        return query
          .selectFrom("pieces")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where("content_id", "=", bind("contentId"))
          .whereRef("pieces.extent_id", "=", "extents.extent_id");
      }),
    }))
    .where("extent_id", "in", (query) =>
      query
        .selectFrom("pieces")
        .select("pieces.extent_id")
        .where("content_id", "=", bind("contentId"))
        .where("pieces.extent_id", "is not", null)
        .$castTo<{ extent_id: string }>(),
    ),
);

/** One use less of an extent for each piece of a content. */
export const dropExtentUses: Statement<OfContent, unknown> = statement((database, bind) =>
  database
    .updateTable("extents")
    .set((row) => ({
      uses: row("uses", "-", (query) => {
        return query
          .selectFrom("pieces")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where("content_id", "=", bind("contentId"))
          .whereRef("pieces.extent_id", "=", "extents.extent_id");
      }),
    }))
    .where("extent_id", "in", (query) =>
      query
        .selectFrom("pieces")
        .select("pieces.extent_id")
        .where("content_id", "=", bind("contentId"))
        .where("pieces.extent_id", "is not", null)
        .$castTo<{ extent_id: string }>(),
    ),
);

/** The extents of a content that nothing uses any more become garbage. */
export const insertGarbageOfContent: Statement<OfContent, unknown> = statement((database, bind) =>
  database
    .insertInto("garbage_extents")
    .columns(["extent_id"])
    .expression((query) =>
      query
        .selectFrom("extents")
        .select("extents.extent_id")
        .where("uses", "=", 0)
        .where("extents.extent_id", "in", (inner) =>
          inner
            .selectFrom("pieces")
            .select("pieces.extent_id")
            .where("content_id", "=", bind("contentId"))
            .where("pieces.extent_id", "is not", null)
            .$castTo<{ extent_id: string }>(),
        ),
    ),
);

export const removeUnusedExtentsOfContent: Statement<OfContent, unknown> = statement((database, bind) =>
  database
    .deleteFrom("extents")
    .where("uses", "=", 0)
    .where("extent_id", "in", (query) =>
      query
        .selectFrom("pieces")
        .select("pieces.extent_id")
        .where("content_id", "=", bind("contentId"))
        .where("pieces.extent_id", "is not", null)
        .$castTo<{ extent_id: string }>(),
    ),
);

export const removePieces: Statement<OfContent, unknown> = statement((database, bind) =>
  database.deleteFrom("pieces").where("content_id", "=", bind("contentId")),
);

export const removeContent: Statement<OfContent, unknown> = statement((database, bind) =>
  database.deleteFrom("contents").where("content_id", "=", bind("contentId")),
);

interface OfExtent {
  readonly extentId: string;
}

export const dropExtentUse: Statement<OfExtent, { readonly uses: number }> = statement((database, bind) =>
  database
    .updateTable("extents")
    .set((row) => ({ uses: row("uses", "-", 1) }))
    .where("extent_id", "=", bind("extentId"))
    .returning("uses"),
);

export const addExtentUse: Statement<OfExtent, unknown> = statement((database, bind) =>
  database
    .updateTable("extents")
    .set((row) => ({ uses: row("uses", "+", 1) }))
    .where("extent_id", "=", bind("extentId")),
);

export const removeExtent: Statement<OfExtent, unknown> = statement((database, bind) =>
  database.deleteFrom("extents").where("extent_id", "=", bind("extentId")),
);

export const insertGarbage: Statement<OfExtent, unknown> = statement((database, bind) =>
  database.insertInto("garbage_extents").values({ extent_id: bind("extentId") }),
);

export const removeGarbage: Statement<OfExtent, unknown> = statement((database, bind) =>
  database.deleteFrom("garbage_extents").where("extent_id", "=", bind("extentId")),
);

export const findGarbage: Statement<{ readonly limit: number }, { readonly extent_id: string }> = statement(
  (database, bind) => database.selectFrom("garbage_extents").select("extent_id").limit(bind("limit")),
);

export const findExtent: Statement<OfExtent, { readonly size: number; readonly damaged_ms: number | null }> = statement(
  (database, bind) =>
    database.selectFrom("extents").select(["size", "damaged_ms"]).where("extent_id", "=", bind("extentId")),
);

export const markDamaged: Statement<OfExtent & { readonly nowMs: number }, unknown> = statement((database, bind) =>
  database
    .updateTable("extents")
    .set({ damaged_ms: bind("nowMs") })
    .where("extent_id", "=", bind("extentId")),
);

export const insertGarbageContent: Statement<OfContent, unknown> = statement((database, bind) =>
  database.insertInto("garbage_contents").values({ content_id: bind("contentId") }),
);

export const removeGarbageContent: Statement<OfContent, unknown> = statement((database, bind) =>
  database.deleteFrom("garbage_contents").where("content_id", "=", bind("contentId")),
);

export const findGarbageContents: Statement<{ readonly limit: number }, { readonly content_id: number }> = statement(
  (database, bind) => database.selectFrom("garbage_contents").select("content_id").limit(bind("limit")),
);

/** The pieces of a content, as far as a blob of this length reaches, become pieces of another. */
export const copyPieces: Statement<OfContent & { readonly fromContentId: number; readonly length: number }, unknown> =
  statement((database, bind) =>
    database
      .insertInto("pieces")
      .columns(["content_id", "start", "length", "extent_id", "extent_offset", "block_id", "inline_content", "nonce"])
      .expression((query) =>
        query
          .selectFrom("pieces")
          .select((row) => [
            row.val(bind("contentId")).as("content_id"),
            "start",
            "length",
            "extent_id",
            "extent_offset",
            "block_id",
            "inline_content",
            "nonce",
          ])
          .where("pieces.content_id", "=", bind("fromContentId"))
          .where("start", "<", bind("length")),
      ),
  );

export const getContentUses: Statement<OfContent, { readonly uses: number }> = statement((database, bind) =>
  database.selectFrom("contents").select("uses").where("content_id", "=", bind("contentId")),
);

export const removePiece: Statement<OfContent & { readonly start: number }, unknown> = statement((database, bind) =>
  database.deleteFrom("pieces").where("content_id", "=", bind("contentId")).where("start", "=", bind("start")),
);
