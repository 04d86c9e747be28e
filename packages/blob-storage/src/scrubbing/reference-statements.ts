import { type Statement, statement } from "../metadata/statement.ts";
import { type ExtentRow } from "../metadata/tables.ts";

interface AfterExtent {
  readonly after: string;
  readonly limit: number;
}

export interface CheckedExtent extends Pick<ExtentRow, "extent_id" | "size" | "uses"> {
  /** Counts are never null, but a column of a subquery could be. */
  readonly pieces: number | null;
  readonly staged: number | null;
  /** The last byte that a piece wants, plus one; null without pieces. */
  readonly reach: number | null;
}

/** Extents with what refers to them, in order; counted in one statement, so changes meanwhile do no harm. */
export const listExtents: Statement<AfterExtent, CheckedExtent> = statement((database, bind) =>
  database
    .selectFrom("extents")
    .select(["extent_id", "size", "uses"])
    .select(({ selectFrom }) => [
      selectFrom("pieces")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("pieces.extent_id", "=", "extents.extent_id")
        .as("pieces"),
      selectFrom("staged_blocks")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("staged_blocks.extent_id", "=", "extents.extent_id")
        .as("staged"),
      selectFrom("pieces")
        .select(({ eb, fn, ref }) => fn.max(eb("pieces.extent_offset", "+", ref("pieces.length"))).as("reach"))
        .whereRef("pieces.extent_id", "=", "extents.extent_id")
        .as("reach"),
    ])
    .where("extent_id", ">", bind("after"))
    .orderBy("extent_id")
    .limit(bind("limit")),
);

interface NamedExtent {
  readonly extent_id: string;
}

/** Extents that pieces name and that have no record. */
export const findPiecesWithoutExtent: Statement<AfterExtent, NamedExtent> = statement((database, bind) =>
  database
    .selectFrom("pieces")
    .select((row) => row.ref("extent_id").$notNull().as("extent_id"))
    .distinct()
    .where("extent_id", ">", bind("after"))
    .where("extent_id", "not in", ({ selectFrom }) => selectFrom("extents").select("extents.extent_id"))
    .orderBy("extent_id")
    .limit(bind("limit")),
);

/** Extents that staged blocks name and that have no record. */
export const findStagedWithoutExtent: Statement<AfterExtent, NamedExtent> = statement((database, bind) =>
  database
    .selectFrom("staged_blocks")
    .select((row) => row.ref("extent_id").$notNull().as("extent_id"))
    .distinct()
    .where("extent_id", ">", bind("after"))
    .where("extent_id", "not in", ({ selectFrom }) => selectFrom("extents").select("extents.extent_id"))
    .orderBy("extent_id")
    .limit(bind("limit")),
);

interface AfterContent {
  readonly after: number;
  readonly limit: number;
}

/** Contents with how many blobs refer to each. */
export const listContents: Statement<
  AfterContent,
  { readonly content_id: number; readonly uses: number; readonly blobs: number | null }
> = statement((database, bind) =>
  database
    .selectFrom("contents")
    .select(["content_id", "uses"])
    .select(({ selectFrom }) =>
      selectFrom("blobs")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("blobs.content_id", "=", "contents.content_id")
        .as("blobs"),
    )
    .where("content_id", ">", bind("after"))
    .orderBy("content_id")
    .limit(bind("limit")),
);

/** Blobs whose content has no record. */
export const findBlobsWithoutContent: Statement<AfterContent, { readonly content_id: number }> = statement(
  (database, bind) =>
    database
      .selectFrom("blobs")
      .select((row) => row.ref("content_id").$notNull().as("content_id"))
      .distinct()
      .where("content_id", ">", bind("after"))
      .where("content_id", "not in", ({ selectFrom }) => selectFrom("contents").select("contents.content_id"))
      .orderBy("content_id")
      .limit(bind("limit")),
);

export interface AffectedBlob {
  readonly account: string;
  readonly container: string;
  readonly name: string;
}

/** Some of the blobs, snapshots included, that need an extent. */
export const findBlobsOfExtent: Statement<{ readonly extentId: string; readonly limit: number }, AffectedBlob> =
  statement((database, bind) =>
    database
      .selectFrom("pieces")
      .innerJoin("blobs", "blobs.content_id", "pieces.content_id")
      .innerJoin("containers", "containers.container_id", "blobs.container_id")
      .innerJoin("accounts", "accounts.account_id", "containers.account_id")
      .select(["accounts.name as account", "containers.name as container", "blobs.name as name"])
      .distinct()
      .where("pieces.extent_id", "=", bind("extentId"))
      .limit(bind("limit")),
  );

/** Some of the blobs that need a content. */
export const findBlobsOfContent: Statement<{ readonly contentId: number; readonly limit: number }, AffectedBlob> =
  statement((database, bind) =>
    database
      .selectFrom("blobs")
      .innerJoin("containers", "containers.container_id", "blobs.container_id")
      .innerJoin("accounts", "accounts.account_id", "containers.account_id")
      .select(["accounts.name as account", "containers.name as container", "blobs.name as name"])
      .distinct()
      .where("blobs.content_id", "=", bind("contentId"))
      .limit(bind("limit")),
  );

/** By which names a container is reached. */
export const findPlaceOfContainer: Statement<
  { readonly containerId: number },
  { readonly account: string; readonly container: string }
> = statement((database, bind) =>
  database
    .selectFrom("containers")
    .innerJoin("accounts", "accounts.account_id", "containers.account_id")
    .select(["accounts.name as account", "containers.name as container"])
    .where("containers.container_id", "=", bind("containerId")),
);
