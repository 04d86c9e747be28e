import { StartError } from "@trefoil/base";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { tryLockFile } from "./file-lock.ts";

const waitMs = 15_000;
const retryMs = 15;

/**
 * Runs `work` while no other process does the same on this data folder: the three servers start at once and share the
 * certificate authority, the secret key and the file of first credentials.
 *
 * @throws StartError "lock" when the others don't finish within 15 s
 */
export async function inCriticalSection<T>(dataDirectory: string, work: () => Promise<T>): Promise<T> {
  const file = path.join(dataDirectory, "installation.lock");
  const deadline = Date.now() + waitMs;
  let release = tryLockFile(file);
  while (release === undefined) {
    if (Date.now() > deadline) {
      throw new StartError("lock", `another process has been setting up ${dataDirectory} for more than 15 seconds`);
    }
    await delay(retryMs);
    release = tryLockFile(file);
  }
  try {
    return await work();
  } finally {
    release();
  }
}
