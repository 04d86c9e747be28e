import { lockDirectory } from "@trefoil/installation";
import { restoreBackup, type RestoreReport } from "@trefoil/graph-store";

/**
 * Makes the graph in `directory` out of the backup in `folder`; no server may work there.
 *
 * @param untilMs  leaves out what was committed later
 * @throws StartError  when a server holds the folder
 * @throws StoreError  for a folder that is no backup, and a directory with a graph in it
 */
export async function restoreGraph(folder: string, directory: string, untilMs?: number): Promise<RestoreReport> {
  const lock = await lockDirectory(directory, "graph");
  try {
    return await restoreBackup(folder, directory, untilMs);
  } finally {
    await lock.release();
  }
}
