/** Codes with which the databases refuse a second row under a unique key. */
const UNIQUE_VIOLATIONS: ReadonlySet<unknown> = new Set([
  "SQLITE_CONSTRAINT_UNIQUE",
  "SQLITE_CONSTRAINT_PRIMARYKEY",
  // PostgreSQL, SQLSTATE class 23
  "23505",
]);

/** Whether a statement failed because its row would have been the second under a unique key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && UNIQUE_VIOLATIONS.has(error.code);
}
