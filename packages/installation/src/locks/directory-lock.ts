import { StartError } from "@trefoil/base";
import { chmod, readFile, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makePrivateDirectory } from "../data-directory.ts";
import { tryLockFile } from "./file-lock.ts";

/** Holds a folder for one process. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/** A look at a lock (see `isDirectoryLocked`) holds it for a moment; a start must not fail on that. */
const patienceMs = 300;
const retryMs = 20;

/**
 * Locks a folder (made when missing) for this process. The holder's process id stands beside the lock for the
 * message only; the lock itself ends with the process.
 *
 * @param what  names the folder's use in the message: `"graph"`
 * @throws      StartError "lock" that names the holder, "store" when the path is no folder or cannot be made
 */
export async function lockDirectory(directory: string, what: string): Promise<DirectoryLock> {
  await makePrivateDirectory(directory).catch((cause: Error) => {
    throw new StartError("store", `the folder ${directory} (${what}) cannot be used: ${cause.message}`, { cause });
  });
  const pidFile = path.join(directory, "lock.pid");
  const deadline = Date.now() + patienceMs;
  let release = tryLockFile(lockFileOf(directory));
  while (release === undefined && Date.now() < deadline) {
    await delay(retryMs);
    release = tryLockFile(lockFileOf(directory));
  }
  if (release === undefined) {
    const pid = await readPid(pidFile);
    const holder = pid === undefined ? "another process" : `process ${pid}`;
    throw new StartError("lock", `the folder ${directory} (${what}) is in use by ${holder}`);
  }
  const giveBack = release;
  await chmod(lockFileOf(directory), 0o600);
  await writeFile(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    release: async () => {
      await unlink(pidFile).catch(() => undefined);
      giveBack();
    },
  };
}

/** Locks a server's own folder below the data folder. */
export function lockServerDirectory(dataDirectory: string, server: string): Promise<DirectoryLock> {
  return lockDirectory(path.join(dataDirectory, server), server);
}

/** Whether a process holds a folder's lock, and which one as far as is known. */
export async function findDirectoryHolder(
  directory: string,
): Promise<{ readonly pid: number | undefined } | undefined> {
  let release: (() => void) | undefined;
  try {
    release = tryLockFile(lockFileOf(directory));
  } catch {
    return undefined; // no such folder
  }
  if (release !== undefined) {
    release();
    return undefined;
  }
  return { pid: await readPid(path.join(directory, "lock.pid")) };
}

function lockFileOf(directory: string): string {
  return path.join(directory, "lock.db");
}

async function readPid(file: string): Promise<number | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  const pid = Number.parseInt(text, 10);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
}
