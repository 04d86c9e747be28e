import { openGraph } from "@trefoil/graph";
import { firstAnswer } from "./load-in-batches.mjs";
import { folderBytes, ownProcessorMs } from "./process-figures.mjs";

/** The graph as a library: one store in `folder`, filled from import files, asked in process. */
export async function openTrefoil(folder, { nodeFile, relationshipFile }, persons) {
  let graph = await openGraph(folder);
  const beganMs = performance.now();
  await graph.importCsv({ nodeFiles: [nodeFile], relationshipFiles: [relationshipFile] });
  const loadMs = performance.now() - beganMs;
  const run = async (text, parameters) => {
    const { rows } = await graph.query(text, parameters);
    return rows.map((row) => Object.values(row));
  };
  const indexed = await run("CREATE INDEX ON :Person(id)", {}).then(
    () => true,
    () => false,
  );
  return {
    name: "trefoil",
    indexed,
    loadMs,
    run,
    plain: (value) => value,
    processorMs: ownProcessorMs,
    diskBytes: () => folderBytes(folder),
    restartMs: async () => {
      await graph.close();
      const restartedMs = performance.now();
      graph = await openGraph(folder);
      await firstAnswer(persons, run);
      return performance.now() - restartedMs;
    },
    close: () => graph.close(),
  };
}
