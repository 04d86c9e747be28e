import { type StatementContext } from "./statement-context.ts";

/** Commits what the statement has written and gives it a new view (USING PERIODIC COMMIT). */
export async function commitSoFar(statement: StatementContext): Promise<void> {
  const { transaction } = statement;
  await transaction.commitSoFar();
  transaction.releaseView(statement.view);
  const view = transaction.openView();
  statement.view = view;
  statement.context = { ...statement.context, view };
}
