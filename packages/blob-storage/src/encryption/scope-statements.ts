import { type Statement, statement } from "../metadata/statement.ts";
import { type EncryptionScopeRow } from "../metadata/tables.ts";

type ScopeKey = Pick<EncryptionScopeRow, "account_id" | "name">;

export const listScopes: Statement<object, EncryptionScopeRow> = statement((database) =>
  database.selectFrom("encryption_scopes").selectAll().orderBy("account_id").orderBy("name"),
);

export const findScope: Statement<ScopeKey, EncryptionScopeRow> = statement((database, bind) =>
  database
    .selectFrom("encryption_scopes")
    .selectAll()
    .where("account_id", "=", bind("account_id"))
    .where("name", "=", bind("name")),
);

export const insertScope: Statement<EncryptionScopeRow, unknown> = statement((database, bind) =>
  database.insertInto("encryption_scopes").values({
    account_id: bind("account_id"),
    name: bind("name"),
    key: bind("key"),
    created_ms: bind("created_ms"),
    disabled_ms: bind("disabled_ms"),
  }),
);

export const updateScopeState: Statement<ScopeKey & Pick<EncryptionScopeRow, "disabled_ms">, unknown> = statement(
  (database, bind) =>
    database
      .updateTable("encryption_scopes")
      .set({ disabled_ms: bind("disabled_ms") })
      .where("account_id", "=", bind("account_id"))
      .where("name", "=", bind("name")),
);

/** The key never changes, only its seal. */
export const resealScopeKey: Statement<ScopeKey & Pick<EncryptionScopeRow, "key">, unknown> = statement(
  (database, bind) =>
    database
      .updateTable("encryption_scopes")
      .set({ key: bind("key") })
      .where("account_id", "=", bind("account_id"))
      .where("name", "=", bind("name")),
);
