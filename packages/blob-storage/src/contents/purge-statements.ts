import { type Statement, statement } from "../metadata/statement.ts";

/** Names in a container that have staged blocks. */
export const findStagedNames: Statement<
  { readonly containerId: number; readonly limit: number },
  { readonly name: string }
> = statement((database, bind) =>
  database
    .selectFrom("staged_blocks")
    .select("name")
    .distinct()
    .where("container_id", "=", bind("containerId"))
    .limit(bind("limit")),
);
