// The process that graph-store.test.ts kills: workers that commit without pause, each of which says on standard output
// what was acknowledged. Runs from dist, as servers do. Arguments: folder of the store, how many workers.
import { systemClock } from "@trefoil/base";
import { createEngine } from "@trefoil/graph-engine";
import { openGraphStore } from "@trefoil/graph-store";
import { emptyModel, takeStep } from "./graph-model.mjs";

const [directory, workers] = process.argv.slice(2);
const store = await openGraphStore({ directory, clock: systemClock, checkpointLogBytes: 40_000 });
const engine = createEngine({ store, clock: systemClock });

async function run(transaction, text, parameters) {
  const rows = [];
  const result = await engine.execute(transaction, text, new Map(Object.entries(parameters)));
  for await (const batch of result.rows) {
    rows.push(...batch);
  }
  return rows;
}

async function inTransaction(...statements) {
  const transaction = store.begin();
  let rows = [];
  for (const { text, parameters } of statements) {
    rows = await run(transaction, text, parameters);
  }
  await transaction.commit();
  return rows;
}

/** Goes on where the graph says that this worker was, for ever. */
async function work(worker) {
  const found = "MERGE (m:Marker {w: $w}) ON CREATE SET m.steps = 0 RETURN m.steps";
  const [[done]] = await inTransaction({ text: found, parameters: { w: worker } });
  const model = emptyModel();
  for (let number = 0; number < done; number++) {
    takeStep(model, worker, number);
  }
  process.stdout.write("ready\n");
  for (let number = done; ; number++) {
    const mark = {
      text: "MATCH (m:Marker {w: $w}) SET m.steps = $steps",
      parameters: { w: worker, steps: number + 1 },
    };
    await inTransaction(takeStep(model, worker, number), mark);
    process.stdout.write(`${worker} ${number + 1}\n`);
  }
}

await inTransaction({ text: "CREATE INDEX ON :Item(n)", parameters: {} });
await Promise.all(Array.from({ length: Number(workers) }, (_, worker) => work(worker)));
