import Database from "libsql";

/**
 * Takes an exclusive lock on a small SQLite file, which the operating system gives back when the process ends in any
 * way: a file with a process id in it would still be there after `kill -9`.
 *
 * @returns the function that gives the lock back, or `undefined` when somebody else holds it
 */
export function tryLockFile(file: string): (() => void) | undefined {
  const database = new Database(file);
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) {
      return undefined;
    }
    throw error;
  }
  let isHeld = true;
  return () => {
    if (isHeld) {
      isHeld = false;
      database.exec("ROLLBACK");
      database.close();
    }
  };
}

function isBusy(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return String(code).startsWith("SQLITE_BUSY") || /database is locked/.test(String(message));
}
