import { type Statement, statement } from "../metadata/statement.ts";
import { type AccountRow } from "../metadata/tables.ts";

export const listAccounts: Statement<object, AccountRow> = statement((database) =>
  database.selectFrom("accounts").selectAll().orderBy("name"),
);

export const findAccountByName: Statement<{ readonly name: string }, AccountRow> = statement((database, bind) =>
  database.selectFrom("accounts").selectAll().where("name", "=", bind("name")),
);

export const insertAccount: Statement<AccountRow, unknown> = statement((database, bind) =>
  database.insertInto("accounts").values({
    account_id: bind("account_id"),
    name: bind("name"),
    key_1: bind("key_1"),
    key_2: bind("key_2"),
    created_ms: bind("created_ms"),
    properties: bind("properties"),
    settings: bind("settings"),
  }),
);

export interface KeyChange {
  readonly accountId: number;
  /** Sealed. */
  readonly key: Uint8Array;
}

export const updateFirstKey: Statement<KeyChange, unknown> = statement((database, bind) =>
  database
    .updateTable("accounts")
    .set({ key_1: bind("key") })
    .where("account_id", "=", bind("accountId")),
);

export const updateSecondKey: Statement<KeyChange, unknown> = statement((database, bind) =>
  database
    .updateTable("accounts")
    .set({ key_2: bind("key") })
    .where("account_id", "=", bind("accountId")),
);

export interface KeySealedAnew extends KeyChange {
  /** What is to be replaced: nothing happens when the account has another key by now. */
  readonly sealedBefore: Uint8Array;
}

export const resealFirstKey: Statement<KeySealedAnew, unknown> = statement((database, bind) =>
  database
    .updateTable("accounts")
    .set({ key_1: bind("key") })
    .where("account_id", "=", bind("accountId"))
    .where("key_1", "=", bind("sealedBefore")),
);

export const resealSecondKey: Statement<KeySealedAnew, unknown> = statement((database, bind) =>
  database
    .updateTable("accounts")
    .set({ key_2: bind("key") })
    .where("account_id", "=", bind("accountId"))
    .where("key_2", "=", bind("sealedBefore")),
);

export const getAccountRow: Statement<{ readonly accountId: number }, AccountRow> = statement((database, bind) =>
  database.selectFrom("accounts").selectAll().where("account_id", "=", bind("accountId")),
);

export const updateAccountProperties: Statement<{ readonly accountId: number; readonly properties: string }, unknown> =
  statement((database, bind) =>
    database
      .updateTable("accounts")
      .set({ properties: bind("properties") })
      .where("account_id", "=", bind("accountId")),
  );

export const updateAccountSettings: Statement<{ readonly accountId: number; readonly settings: string }, unknown> =
  statement((database, bind) =>
    database
      .updateTable("accounts")
      .set({ settings: bind("settings") })
      .where("account_id", "=", bind("accountId")),
  );
