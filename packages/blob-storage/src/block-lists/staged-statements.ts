import { type Statement, statement } from "../metadata/statement.ts";
import { type StagedBlockRow, type UncommittedRow } from "../metadata/tables.ts";

export interface StagedName {
  readonly containerId: number;
  readonly name: string;
}

export const findUncommitted: Statement<StagedName, UncommittedRow> = statement((database, bind) =>
  database
    .selectFrom("uncommitted")
    .selectAll()
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name")),
);

export interface NewUncommitted extends StagedName {
  readonly idLength: number;
  readonly customerKeySha256: string | null;
  readonly encryptionScope: string | null;
  readonly nowMs: number;
}

export const insertUncommitted: Statement<NewUncommitted, unknown> = statement((database, bind) =>
  database.insertInto("uncommitted").values({
    container_id: bind("containerId"),
    name: bind("name"),
    blocks: 1,
    id_length: bind("idLength"),
    customer_key_sha256: bind("customerKeySha256"),
    encryption_scope: bind("encryptionScope"),
    staged_ms: bind("nowMs"),
  }),
);

export const updateUncommitted: Statement<StagedName & { readonly blocks: number; readonly nowMs: number }, unknown> =
  statement((database, bind) =>
    database
      .updateTable("uncommitted")
      .set({ blocks: bind("blocks"), staged_ms: bind("nowMs") })
      .where("container_id", "=", bind("containerId"))
      .where("name", "=", bind("name")),
  );

export const removeUncommitted: Statement<StagedName, unknown> = statement((database, bind) =>
  database.deleteFrom("uncommitted").where("container_id", "=", bind("containerId")).where("name", "=", bind("name")),
);

export interface StagedKey extends StagedName {
  readonly blockId: string;
}

/** Takes a staged block away. @returns its extent, if it had one */
export const takeStagedBlock: Statement<StagedKey, { readonly extent_id: string | null }> = statement(
  (database, bind) =>
    database
      .deleteFrom("staged_blocks")
      .where("container_id", "=", bind("containerId"))
      .where("name", "=", bind("name"))
      .where("block_id", "=", bind("blockId"))
      .returning("extent_id"),
);

export interface NewStagedBlock extends StagedKey {
  readonly length: number;
  readonly extentId: string | null;
  readonly inlineContent: Uint8Array | null;
  readonly nonce: Uint8Array | null;
}

export const insertStagedBlock: Statement<NewStagedBlock, unknown> = statement((database, bind) =>
  database.insertInto("staged_blocks").values({
    container_id: bind("containerId"),
    name: bind("name"),
    block_id: bind("blockId"),
    length: bind("length"),
    extent_id: bind("extentId"),
    inline_content: bind("inlineContent"),
    nonce: bind("nonce"),
  }),
);

export const listStagedBlocks: Statement<StagedName, Pick<StagedBlockRow, "block_id" | "length">> = statement(
  (database, bind) =>
    database
      .selectFrom("staged_blocks")
      .select(["block_id", "length"])
      .where("container_id", "=", bind("containerId"))
      .where("name", "=", bind("name"))
      .orderBy("block_id"),
);

/** A staged block becomes a piece of a content. */
export const insertPieceOfStaged: Statement<
  StagedKey & { readonly contentId: number; readonly start: number },
  unknown
> = statement((database, bind) =>
  database
    .insertInto("pieces")
    .columns(["content_id", "start", "length", "extent_id", "extent_offset", "block_id", "inline_content", "nonce"])
    .expression((query) =>
      query
        .selectFrom("staged_blocks")
        .select((row) => [
          row.val(bind("contentId")).as("content_id"),
          row.val(bind("start")).as("start"),
          "length",
          "extent_id",
          row.val(0).as("extent_offset"),
          "block_id",
          "inline_content",
          "nonce",
        ])
        .where("container_id", "=", bind("containerId"))
        .where("name", "=", bind("name"))
        .where("block_id", "=", bind("blockId")),
    ),
);

/** A piece of another content is used again. */
export const insertPieceOfPiece: Statement<
  { readonly contentId: number; readonly start: number; readonly fromContentId: number; readonly fromStart: number },
  unknown
> = statement((database, bind) =>
  database
    .insertInto("pieces")
    .columns(["content_id", "start", "length", "extent_id", "extent_offset", "block_id", "inline_content", "nonce"])
    .expression((query) =>
      query
        .selectFrom("pieces")
        .select((row) => [
          row.val(bind("contentId")).as("content_id"),
          row.val(bind("start")).as("start"),
          "length",
          "extent_id",
          "extent_offset",
          "block_id",
          "inline_content",
          "nonce",
        ])
        .where("pieces.content_id", "=", bind("fromContentId"))
        .where("pieces.start", "=", bind("fromStart")),
    ),
);

/** The blocks that a content was committed from, in order. */
export const listCommittedBlocks: Statement<
  { readonly contentId: number },
  { readonly block_id: string; readonly start: number; readonly length: number }
> = statement((database, bind) =>
  database
    .selectFrom("pieces")
    .select(["start", "length"])
    .select((row) => row.ref("block_id").$notNull().as("block_id"))
    .where("content_id", "=", bind("contentId"))
    .where("block_id", "is not", null)
    .orderBy("start"),
);

/** Each staged block is the one use of its extent, unless a commit has added another. */
export const dropStagedExtentUses: Statement<StagedName, unknown> = statement((database, bind) =>
  database
    .updateTable("extents")
    .set((row) => ({ uses: row("uses", "-", 1) }))
    .where("extent_id", "in", (query) =>
      query
        .selectFrom("staged_blocks")
        .select("staged_blocks.extent_id")
        .where("container_id", "=", bind("containerId"))
        .where("name", "=", bind("name"))
        .where("staged_blocks.extent_id", "is not", null)
        .$castTo<{ extent_id: string }>(),
    ),
);

export const insertGarbageOfStaged: Statement<StagedName, unknown> = statement((database, bind) =>
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
            .selectFrom("staged_blocks")
            .select("staged_blocks.extent_id")
            .where("container_id", "=", bind("containerId"))
            .where("name", "=", bind("name"))
            .where("staged_blocks.extent_id", "is not", null)
            .$castTo<{ extent_id: string }>(),
        ),
    ),
);

export const removeUnusedExtentsOfStaged: Statement<StagedName, unknown> = statement((database, bind) =>
  database
    .deleteFrom("extents")
    .where("uses", "=", 0)
    .where("extent_id", "in", (query) =>
      query
        .selectFrom("staged_blocks")
        .select("staged_blocks.extent_id")
        .where("container_id", "=", bind("containerId"))
        .where("name", "=", bind("name"))
        .where("staged_blocks.extent_id", "is not", null)
        .$castTo<{ extent_id: string }>(),
    ),
);

export const removeStagedBlocks: Statement<StagedName, unknown> = statement((database, bind) =>
  database.deleteFrom("staged_blocks").where("container_id", "=", bind("containerId")).where("name", "=", bind("name")),
);

/** Names in a container that have staged blocks. */
export const findUncommittedNames: Statement<
  { readonly containerId: number; readonly limit: number },
  { readonly name: string }
> = statement((database, bind) =>
  database
    .selectFrom("uncommitted")
    .select("name")
    .where("container_id", "=", bind("containerId"))
    .limit(bind("limit")),
);

/** Names whose staged blocks are too old. */
export const findOldUncommitted: Statement<
  { readonly beforeMs: number; readonly limit: number },
  Pick<UncommittedRow, "container_id" | "name">
> = statement((database, bind) =>
  database
    .selectFrom("uncommitted")
    .select(["container_id", "name"])
    .where("staged_ms", "<", bind("beforeMs"))
    .limit(bind("limit")),
);

/** Names of a page of a listing that have staged blocks and no blob. */
export const listUncommittedNames: Statement<
  { readonly containerId: number; readonly from: string; readonly before: string; readonly limit: number },
  { readonly name: string; readonly staged_ms: number }
> = statement((database, bind) =>
  database
    .selectFrom("uncommitted")
    .select(["name", "staged_ms"])
    .where("container_id", "=", bind("containerId"))
    .where("name", ">=", bind("from"))
    .where("name", "<", bind("before"))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("blobs")
            .select("blobs.name")
            .whereRef("blobs.container_id", "=", "uncommitted.container_id")
            .whereRef("blobs.name", "=", "uncommitted.name"),
        ),
      ),
    )
    .orderBy("name")
    .limit(bind("limit")),
);
