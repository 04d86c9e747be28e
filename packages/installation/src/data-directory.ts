import { StartError } from "@trefoil/base";
import { chmod, mkdir, stat } from "node:fs/promises";
import path from "node:path";

/** Everyone but the owner. */
const othersMode = 0o077;

/**
 * Makes the data folder (mode 0700) when it is missing, and takes it back from others when they could read it.
 *
 * @param warn  told when permissions had to be repaired: what was in the folder may have been read
 * @returns     the absolute path
 * @throws      StartError "store" when the path is no folder or cannot be made
 */
export async function openDataDirectory(
  directory: string,
  warn: (message: string) => void = () => undefined,
): Promise<string> {
  const absolute = path.resolve(directory);
  try {
    await mkdir(absolute, { recursive: true, mode: 0o700 });
    const { mode } = await stat(absolute);
    // Windows has no such modes; what stat answers there says nothing about who may read.
    if (process.platform !== "win32" && (mode & othersMode) !== 0) {
      warn(`the data folder ${absolute} was open to others (mode ${(mode & 0o777).toString(8)}); it is 0700 now`);
      await chmod(absolute, 0o700);
    }
    return absolute;
  } catch (error) {
    throw new StartError("store", `the data folder ${absolute} cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Makes a folder below the data folder, for the owner only. */
export async function makePrivateDirectory(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return directory;
}
