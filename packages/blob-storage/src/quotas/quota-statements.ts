import { type BlobName } from "../blobs/blob-statements.ts";
import { type Statement, statement } from "../metadata/statement.ts";
import { type AccountQuotaRow, CURRENT } from "../metadata/tables.ts";

interface AccountId {
  readonly accountId: number;
}

export const listQuotas: Statement<object, AccountQuotaRow> = statement((database) =>
  database.selectFrom("account_quotas").selectAll(),
);

export const findQuota: Statement<AccountId, AccountQuotaRow> = statement((database, bind) =>
  database.selectFrom("account_quotas").selectAll().where("account_id", "=", bind("accountId")),
);

export const insertQuota: Statement<AccountQuotaRow, unknown> = statement((database, bind) =>
  database.insertInto("account_quotas").values({
    account_id: bind("account_id"),
    quota_bytes: bind("quota_bytes"),
    used_bytes: bind("used_bytes"),
  }),
);

export const removeQuota: Statement<AccountId, unknown> = statement((database, bind) =>
  database.deleteFrom("account_quotas").where("account_id", "=", bind("accountId")),
);

/** Bytes of all blobs of an account: snapshots, versions and what was deleted and is kept are rows as well. */
export const measureBlobs: Statement<AccountId, { readonly bytes: number | null }> = statement((database, bind) =>
  database
    .selectFrom("containers")
    .innerJoin("blobs", "blobs.container_id", "containers.container_id")
    .select(({ fn }) => fn.sum<number>("blobs.length").as("bytes"))
    .where("containers.account_id", "=", bind("accountId")),
);

export const measureStagedBlocks: Statement<AccountId, { readonly bytes: number | null }> = statement(
  (database, bind) =>
    database
      .selectFrom("containers")
      .innerJoin("staged_blocks", "staged_blocks.container_id", "containers.container_id")
      .select(({ fn }) => fn.sum<number>("staged_blocks.length").as("bytes"))
      .where("containers.account_id", "=", bind("accountId")),
);

export const measureBlob: Statement<BlobName, { readonly bytes: number | null }> = statement((database, bind) =>
  database
    .selectFrom("blobs")
    .select(({ fn }) => fn.sum<number>("length").as("bytes"))
    .where("container_id", "=", bind("containerId"))
    .where("name", "=", bind("name"))
    .where("moment", "=", CURRENT),
);

export const measureStagedBlocksOfName: Statement<BlobName, { readonly bytes: number | null }> = statement(
  (database, bind) =>
    database
      .selectFrom("staged_blocks")
      .select(({ fn }) => fn.sum<number>("length").as("bytes"))
      .where("container_id", "=", bind("containerId"))
      .where("name", "=", bind("name")),
);
