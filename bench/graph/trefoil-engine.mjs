import { systemClock } from "@trefoil/base";
import { createEngine } from "@trefoil/graph-engine";
import { folderBytes, ownProcessorMs } from "./process-figures.mjs";
import { openGraphStore, WholeFloat } from "@trefoil/graph-store";

/** The graph as a library: one store in `folder`, filled from import files, asked in process. */
export async function openTrefoil(folder, { nodeFile, relationshipFile }) {
  const store = await openGraphStore({ directory: folder, clock: systemClock });
  const beganMs = performance.now();
  await store.importCsv({ nodeFiles: [nodeFile], relationshipFiles: [relationshipFile] });
  const loadMs = performance.now() - beganMs;
  const engine = createEngine({ store, clock: systemClock });
  const run = async (text, parameters, { writes }) => {
    const transaction = store.begin();
    try {
      const result = await engine.execute(transaction, text, parametersOf(parameters));
      const rows = [];
      for await (const batch of result.rows) {
        for (const row of batch) {
          rows.push(row);
        }
      }
      await (writes ? transaction.commit() : transaction.rollback());
      return rows;
    } catch (error) {
      if (transaction.state === "open") {
        transaction.rollback();
      }
      throw error;
    }
  };
  const indexed = await run("CREATE INDEX ON :Person(id)", {}, { writes: true }).then(
    () => true,
    () => false,
  );
  return {
    name: "trefoil",
    indexed,
    loadMs,
    run,
    plain,
    processorMs: ownProcessorMs,
    diskBytes: () => folderBytes(folder),
    close: () => store.close(),
  };
}

function parametersOf(parameters) {
  return new Map(Object.entries(parameters).map(([name, value]) => [name, valueOf(value)]));
}

function valueOf(value) {
  if (Array.isArray(value)) {
    return value.map(valueOf);
  }
  return typeof value === "object" && value !== null ? parametersOf(value) : value;
}

/** A value as JavaScript has it. */
function plain(value) {
  return value instanceof WholeFloat ? value.value : value;
}
