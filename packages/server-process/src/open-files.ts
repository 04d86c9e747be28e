import { readFile } from "node:fs/promises";

/** What the graph interface recommends (graph §8). */
export const recommendedOpenFiles = 40_000;

/**
 * The warning when this process may open fewer files than recommended, naming the figure in force, else `undefined`.
 * Node raises the soft limit by itself, so the shell's figure would be the wrong one to judge by.
 */
export async function findOpenFilesWarning(limitsFile = "/proc/self/limits"): Promise<string | undefined> {
  const limits = await readFile(limitsFile, "utf8").catch(() => ""); // other systems have no such file
  const figure = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return figure === undefined || Number(figure) >= recommendedOpenFiles
    ? undefined
    : `Max ${figure} open files allowed, minimum of 40 000 recommended. See docs/operations.md.`;
}
