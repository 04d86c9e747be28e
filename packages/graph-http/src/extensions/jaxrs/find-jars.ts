import { readdir } from "node:fs/promises";
import path from "node:path";

/** The jars of a plugins directory, sorted; none when there is no such folder. */
export async function findJars(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory).catch(() => []);
  return entries
    .filter((entry) => entry.endsWith(".jar"))
    .sort()
    .map((entry) => path.join(directory, entry));
}
