import { type Call, type Statement } from "./statement.ts";

/**
 * Work on the metadata, written once for a database that answers at once (SQLite, in the writer thread and for
 * reads) and for one across a network: it yields a statement and is resumed with that statement's rows.
 */
export type Steps<Result> = Generator<Call, Result, readonly unknown[]>;

/** Runs a statement and gives all its rows. */
export function* all<Parameters extends object, Row>(
  statement: Statement<Parameters, Row>,
  parameters: Parameters,
): Steps<readonly Row[]> {
  return (yield statement.bind(parameters)) as readonly Row[];
}

/** Runs a statement and gives its first row, if there is one. */
export function* first<Parameters extends object, Row>(
  statement: Statement<Parameters, Row>,
  parameters: Parameters,
): Steps<Row | undefined> {
  return ((yield statement.bind(parameters, true)) as readonly Row[])[0];
}

/** Runs a statement for its effect. */
export function* run<Parameters extends object>(
  statement: Statement<Parameters, unknown>,
  parameters: Parameters,
): Steps<void> {
  yield statement.bind(parameters);
}
