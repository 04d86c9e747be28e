import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, unlink } from "node:fs/promises";
import path from "node:path";

/**
 * Writes a file for the owner only (0600) so that it is there whole or not at all, also after a power cut: a synced
 * file beside it, renamed over it, and the folder synced.
 */
export async function writePrivateFile(file: string, content: string | Uint8Array): Promise<void> {
  const temporary = await writeBeside(file, content);
  await rename(temporary, file);
  await syncDirectory(path.dirname(file));
}

/** Like {@link writePrivateFile}, but leaves a file alone that is there already. Says whether it was made. */
export async function createPrivateFile(file: string, content: string | Uint8Array): Promise<boolean> {
  const temporary = await writeBeside(file, content);
  try {
    // Unlike rename, link fails when the name is taken: of several processes exactly one makes the file.
    await link(temporary, file);
    await syncDirectory(path.dirname(file));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") {
      return false;
    }
    throw error;
  } finally {
    await unlink(temporary);
  }
}

/** The file's text, or `undefined` when there is no such file. */
export async function findFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}

async function writeBeside(file: string, content: string | Uint8Array): Promise<string> {
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return temporary;
}

async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") {
    return;
  }
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
