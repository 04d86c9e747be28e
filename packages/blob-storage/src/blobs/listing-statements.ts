import { type AliasedExpression, type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";
import { type Statement, statement } from "../metadata/statement.ts";
import { CURRENT, type Tables } from "../metadata/tables.ts";
import { type BlobProperties, listedColumns } from "./blob-statements.ts";

/** What a listing reads of a blob; `is_orphan`: a version whose blob is gone, when that was asked for. */
export type ListedBlob = Omit<BlobProperties, "container_id" | "content_id"> & { readonly is_orphan?: 0 | 1 };

/** A row whose columns come as one value: one after the other they cost three times as much (decisions/0193). */
export interface ListedRow {
  /** JSON: the values of {@link listedColumns}, in that order. */
  readonly columns: string;
  readonly is_orphan?: 0 | 1;
}

type ListedValues = {
  readonly [Index in keyof typeof listedColumns]: ListedBlob[(typeof listedColumns)[Index] & keyof ListedBlob];
};

/** The blob of a listed row. */
export function readListedRow({ columns, is_orphan }: ListedRow): ListedBlob {
  const values = JSON.parse(columns) as ListedValues;
  return {
    name: values[0],
    moment: values[1],
    version_id: values[2],
    deleted_ms: values[3],
    purge_ms: values[4],
    type: values[5],
    length: values[6],
    etag: values[7],
    last_modified_ms: values[8],
    created_ms: values[9],
    content_headers: values[10],
    metadata: values[11],
    tags: values[12],
    extras: values[13],
    lease_id: values[14],
    lease_duration_seconds: values[15],
    lease_expires_ms: values[16],
    lease_breaks_ms: values[17],
    ...(is_orphan === 1 && { is_orphan }),
  };
}

const columnsOf = (): AliasedExpression<string, "columns"> =>
  sql<string>`json_array(${sql.join(listedColumns.map((column) => sql.ref(`blobs.${column}`)))})`.as("columns");

export interface BlobPage {
  readonly containerId: number;
  /** Where the page begins: this name, from this moment on. */
  readonly from: string;
  readonly fromMoment: string;
  /** The first name after the page; see after-prefix.ts. */
  readonly before: string;
  /** Only rows of this moment or later: {@link CURRENT} for blobs alone, "" with their snapshots or versions. */
  readonly least: string;
  /** 1: with snapshots; else 0. */
  readonly withSnapshots: 0 | 1;
  /** 1: with previous versions; else 0. */
  readonly withVersions: 0 | 1;
  /** 1: with those that were deleted and are kept; else 0. */
  readonly withDeleted: 0 | 1;
  readonly limit: number;
}

export const listBlobRows: Statement<BlobPage, ListedRow> = statement((database, bind) =>
  database
    .selectFrom("blobs")
    .select(columnsOf)
    .where("container_id", "=", bind("containerId"))
    .where("name", ">=", bind("from"))
    .where("name", "<", bind("before"))
    .where((row) => row.or([row("name", ">", bind("from")), row("moment", ">=", bind("fromMoment"))]))
    .where("moment", ">=", bind("least"))
    .where((row) =>
      row.or([
        row("moment", "=", CURRENT),
        row.and([row("version_id", "is", null), row(row.val(bind("withSnapshots")), "=", 1)]),
        row.and([row("version_id", "is not", null), row(row.val(bind("withVersions")), "=", 1)]),
      ]),
    )
    .where((row) => row.or([row("deleted_ms", "is", null), row(row.val(bind("withDeleted")), "=", 1)]))
    .orderBy("name")
    .orderBy("moment")
    .limit(bind("limit")),
);

/** The same, and of names that have versions but no blob any more the newest version, which says so. */
export const listBlobRowsAndOrphans: Statement<BlobPage, ListedRow> = statement((database, bind) =>
  database
    .selectFrom("blobs")
    .select(columnsOf)
    .select((row) => row.case().when(isOrphan(row)).then<0 | 1>(1).else<0 | 1>(0).end().as("is_orphan"))
    .where("blobs.container_id", "=", bind("containerId"))
    .where("blobs.name", ">=", bind("from"))
    .where("blobs.name", "<", bind("before"))
    .where((row) => row.or([row("blobs.name", ">", bind("from")), row("blobs.moment", ">=", bind("fromMoment"))]))
    .where((row) =>
      row.or([
        row.and([
          row.or([
            row("blobs.moment", "=", CURRENT),
            row.and([row("blobs.version_id", "is", null), row(row.val(bind("withSnapshots")), "=", 1)]),
            row.and([row("blobs.version_id", "is not", null), row(row.val(bind("withVersions")), "=", 1)]),
          ]),
          row.or([row("blobs.deleted_ms", "is", null), row(row.val(bind("withDeleted")), "=", 1)]),
        ]),
        isOrphan(row),
      ]),
    )
    .orderBy("blobs.name")
    .orderBy("blobs.moment")
    .limit(bind("limit")),
);

/** A previous version after which there is neither a later one nor the blob itself; deleted or not. */
function isOrphan(row: ExpressionBuilder<Tables, "blobs">): Expression<SqlBool> {
  const later = row
    .selectFrom("blobs as later")
    .select("later.moment")
    .whereRef("later.container_id", "=", "blobs.container_id")
    .whereRef("later.name", "=", "blobs.name")
    .whereRef("later.moment", ">", "blobs.moment")
    .where((other) =>
      other.or([
        other.and([other("later.moment", "<", CURRENT), other("later.version_id", "is not", null)]),
        other.and([other("later.moment", "=", CURRENT), other("later.deleted_ms", "is", null)]),
      ]),
    );
  return row.and([
    row("blobs.moment", "<", CURRENT),
    row("blobs.version_id", "is not", null),
    row.not(row.exists(later)),
  ]);
}
